#include <array>

#include "engine/machine/machine.h"
#include "engine/machine/names.h"

// Source tags: XLA-nnnn is github.com/pytorch/xla/issues/nnnn; PTS as in generations.cpp.

namespace tpulab {

namespace {

using enum Mark;

constexpr HostRow tpu_vm{
    .name = "tpu-vm",
    .about = "a TPU VM, since 2021: the program runs beside the PCIe cards",
    .cpu_flops_per_second = {8e9, assumed, "framework code with AVX2 at a tenth of peak"},
    .memory_bytes_per_second = {8e9, assumed, "one core streaming"},
    .python_speed = {1, assumed, "times of stacks are of such a VM"},
    .link_latency_seconds = {45e-6, derived, "XLA-8059: median TensorToData 44.9 us"},
    .link_share = {0.8, assumed, "of PCIe peak for large copies"},
    .rows_per_second_per_worker = {150e3, assumed, "collating one small row takes 6.7 us"}};

constexpr Constant as_tpu_vm(Constant of_tpu_vm) { return {of_tpu_vm.value, assumed, "as tpu-vm"}; }

constexpr HostRow like_tpu_vm(std::string_view name, std::string_view about,
                              std::optional<Constant> cpus = {}) {
  return {.name = name,
          .about = about,
          .cpus = cpus,
          .cpu_flops_per_second = as_tpu_vm(tpu_vm.cpu_flops_per_second),
          .memory_bytes_per_second = as_tpu_vm(tpu_vm.memory_bytes_per_second),
          .python_speed = as_tpu_vm(tpu_vm.python_speed),
          .link_latency_seconds = as_tpu_vm(tpu_vm.link_latency_seconds),
          .link_share = as_tpu_vm(tpu_vm.link_share),
          .rows_per_second_per_worker = as_tpu_vm(tpu_vm.rows_per_second_per_worker)};
}

constexpr std::array<HostRow, 5> known_hosts{{
    tpu_vm,
    like_tpu_vm("pod-host", "one host of a pod slice: a TPU VM that loads for its own chips only"),
    like_tpu_vm("kaggle-vm", "a Kaggle notebook since 2022: a TPU VM"),
    like_tpu_vm("colab-vm",
                "a Colab notebook since spring 2024 (April to June): a part of a TPU VM",
                Constant{40, assumed, "memory: less than half a TPU VM"}),
    {.name = "colab-node-2021",
     .about = "a Colab notebook until spring 2024, here as in 2021: two CPUs that reach the TPU "
              "over the network",
     .cpus = Constant{2, documented, "XLA-2247: two CPU cores"},
     .cpu_flops_per_second = {4e9, assumed, "half a TPU VM's core"},
     .memory_bytes_per_second = {5e9, assumed, "half a TPU VM's core"},
     .python_speed = {0.5, assumed, "half a TPU VM's core"},
     .link_latency_seconds = {95e-3, documented, "XLA-3001: median transfer 95 ms"},
     .link_share = {0.08, assumed, "10 Gb/s network instead of PCIe"},
     .rows_per_second_per_worker = {80e3, assumed, "half a TPU VM's core"}},
}};

}  // namespace

std::span<const HostRow> host_rows() { return known_hosts; }

const HostRow& host_named(std::string_view name) {
  std::vector<std::string> names;
  for (const HostRow& row : known_hosts) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw unknown_name("host", name, names);
}

}  // namespace tpulab
