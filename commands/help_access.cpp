// The page `help access`.
#include "commands/help_access.h"

namespace tpulab {

namespace {

constexpr std::string_view access_words = R"(
Three ways to a TPU, as Lightning's page lists them, then and now.

Google Colab
  then  Runtime > Change runtime type > TPU gave a TPU node of 8 cores behind
        a network, and the first cell installed the library:
          !pip install cloud-tpu-client
            https://storage.googleapis.com/tpu-pytorch/wheels/
            torch_xla-1.13-cp38-cp38m-linux_x86_64.whl
          !pip install lightning
  now   since April to June 2024 the notebook runs on a TPU VM; torch_xla
        comes by pip and no client is needed. Which TPU is free changes.
  here  host colab-node-2021, host colab-vm
Kaggle
  now   a notebook with the accelerator TPU, a TPU VM since 2022, for some
        hours a week
  here  host kaggle-vm
Google Cloud
  then  a VM of one's own, and a TPU node beside it that it reached by network
  now   a TPU VM: one logs in on the TPU's own host
          gcloud compute tpus tpu-vm create NAME --zone ZONE
            --accelerator-type v3-8 --version tpu-ubuntu2204-base
        and installs torch_xla and lightning there. `show slice v3-8` has
        prices.
  here  host tpu-vm; host pod-host on larger slices

Then the LightningModule as usual, and Trainer(accelerator="tpu", devices=8).
Sources: Lightning's page on TPU training (basic); dates of the hosts as
`show host NAME` has them. lesson host-and-colab shows what a host changes.
)";

}  // namespace

std::string_view access_text() { return access_words; }

}  // namespace tpulab
