// The experiment as a script for PyTorch Lightning on a real TPU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/machine.h"
#include "engine/machine/own_generations.h"
#include "engine/session/answers/exports.h"
#include "engine/session/answers/machine_words.h"
#include "engine/session/answers/torch_layers.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

namespace {

constexpr std::string_view without_words =
    "split class_weights hard_examples warmup_steps progress_bar_every cpu_constant fallback_op "
    "shapes loop_turns keep_every_n_steps data_rows straggler matmul.precision donate "
    "loader_prefetch loader_row_us host host_cpus input_dtype preempt cache_persistent";

// "dense 32 relu | dense 10"
bool is_line(const Settings& settings) { return settings.model.find(' ') != std::string::npos; }

void check_can_be_written(const Settings& settings) {
  const bool written = settings.model == "mlp" || is_line(settings);
  if (!written || dataset_of(settings).name != "digits") {
    throw Error(fmt::format(
        "a script is written for model mlp, or a line of layers, on the digits, not for {}; `model "
        "mlp; data auto` first",
        written ? "data " + settings.data : settings.model));
  }
  if (settings.stack != "pytorch-xla" || on_gpus(settings)) {
    throw Error(
        "a Lightning script runs PyTorch/XLA on a TPU; `stack pytorch-xla` and a slice first");
  }
  std::vector<std::string> unsaid;
  std::vector<std::string> as_usual;
  for (const std::string_view name : words_in(without_words)) {
    const SettingRow& row = setting_named(name);
    const std::string usual = row.show(Settings());
    if (row.show(settings) == usual) continue;
    unsaid.emplace_back(name);
    as_usual.push_back(fmt::format("{} {}", name, usual));
  }
  if (settings.item_every_n_steps > 1) {
    unsaid.emplace_back("item_every_n_steps above 1");
    as_usual.emplace_back("item_every_n_steps 1");
  }
  if (unsaid.empty()) return;
  throw Error(fmt::format("the script has no words for {}; `{}` first", fmt::join(unsaid, ", "),
                          fmt::join(as_usual, "; ")));
}

// v5e is "v5litepod" to gcloud, and v7 "tpu7x". [Cloud TPU documentation, accelerator types]
std::string accelerator_type(std::string_view slice) {
  if (slice.starts_with("v5e-")) return fmt::format("v5litepod-{}", slice.substr(4));
  if (slice.starts_with("v7-")) return fmt::format("tpu7x-{}", slice.substr(3));
  return std::string(slice);
}

// Lines of the head that say where to get the machine.
std::string machine_lines(const Slice& slice) {
  if (slice.generation->name.starts_with(own_mark)) {
    return fmt::format("# {} is a machine of your own: gcloud has no accelerator type for it.\n",
                       slice.name);
  }
  const std::string_view one =
      std::string_view(slice.name).substr(slice.joined > 1 ? slice.name.find('x') + 1 : 0);
  if (slice.joined > 1 && !joins_slices(*slice.generation)) {
    return fmt::format("# gcloud joins no slices of {} (multislice): that begins with v4.\n",
                       slice.generation->name);
  }
  if (slice.joined > 1) {
    return fmt::format(
        "# gcloud has no accelerator type for {}: create {} slices of {} (multislice).\n",
        slice.name, slice.joined, accelerator_type(one));
  }
  return fmt::format(
      "# A machine for it (versions: gcloud compute tpus tpu-vm versions list --zone ZONE):\n"
      "#   gcloud compute tpus tpu-vm create NAME --zone=ZONE --accelerator-type={} "
      "--version=VERSION\n",
      accelerator_type(one));
}

constexpr std::string_view install =
    "pip install torch==2.9.0 'torch_xla[tpu]==2.9.0' lightning scikit-learn";

// Lines of the head that say how to start it: every host runs it, the first one prints the report.
std::string start_lines(const Slice& slice) {
  const bool each = slice.hosts > 1;
  if (!each || slice.joined > 1 || slice.generation->name.starts_with(own_mark)) {
    return fmt::format("# There{}: {}\n#        python THIS_FILE > report.txt\n",
                       each ? fmt::format(", on all {} hosts at once", slice.hosts) : "", install);
  }
  constexpr const char* all = "--zone=ZONE --worker=all";
  return fmt::format(
      "# There, on all {0} hosts at once, from here:\n"
      "#   gcloud compute tpus tpu-vm scp THIS_FILE NAME: {1}\n"
      "#   gcloud compute tpus tpu-vm ssh NAME {1} --command=\"{2}\"\n"
      "#   gcloud compute tpus tpu-vm ssh NAME {1} --command=\"python THIS_FILE\" > report.txt\n",
      slice.hosts, all, install);
}

std::string number_of_devices(const Settings& settings) {
  return settings.devices == "auto" ? "\"auto\"" : settings.devices;
}

// Lightning takes the strategy of one device by itself alone.
std::string strategy(const Settings& settings) {
  return fmt::format("strategy=\"{}\"",
                     settings.strategy == "single_xla" ? "auto" : settings.strategy);
}

std::string layers(const Settings& settings) {
  if (is_line(settings)) return torch_layers(settings.model, dataset_of(settings));
  std::string text;
  std::int64_t inputs = dataset_of(settings).example(Input::numbers).row.elements();
  for (const std::int64_t width : settings.hidden) {
    text += fmt::format("nn.Linear({}, {}), nn.ReLU(), ", inputs, width);
    inputs = width;
  }
  return text + fmt::format("nn.Linear({}, {})", inputs, dataset_of(settings).classes);
}

// torch has no LAMB; timm's is it, but for the clip that it does unless told.
std::string optimizer(const Settings& settings) {
  const std::string rate = fmt::format(
      "self.parameters(), lr={}{}", settings.learning_rate,
      settings.weight_decay < 0 ? "" : fmt::format(", weight_decay={}", settings.weight_decay));
  switch (optimizer_of(settings)) {
    case OptimizerKind::lamb:
      return fmt::format("timm.optim.Lamb({}, max_grad_norm=None)", rate);
    case OptimizerKind::adam:
      return fmt::format("torch.optim.Adam({})", rate);
    case OptimizerKind::adamw:
      return fmt::format("torch.optim.AdamW({})", rate);
    case OptimizerKind::sgd:
    case OptimizerKind::sgd_alone:
      break;
  }
  return fmt::format("torch.optim.SGD({}, momentum={})", rate, settings.momentum);
}

// Trainer's arguments that differ from its own defaults, under the names they have here.
std::vector<std::string> trainer_arguments(const Settings& settings) {
  std::vector<std::string> all{
      "accelerator=\"tpu\"",
      "devices=" + number_of_devices(settings),
      strategy(settings),
      fmt::format("precision=\"{}\"", settings.precision),
      fmt::format("max_epochs={}", epochs_of(settings)),
      fmt::format("max_steps={}", settings.max_steps),
      fmt::format("log_every_n_steps={}", settings.log_every_n_steps),
      fmt::format("enable_progress_bar={}", settings.progress_bar ? "True" : "False")};
  const Settings usual;
  const auto add_if_changed = [&](std::string_view name) {
    const SettingRow& row = setting_named(name);
    if (row.show(settings) != row.show(usual)) {
      all.push_back(fmt::format("{}={}", name, row.show(settings)));
    }
  };
  for (const char* name :
       {"limit_train_batches", "limit_val_batches", "overfit_batches", "accumulate_grad_batches",
        "val_check_interval", "check_val_every_n_epoch", "num_sanity_val_steps"}) {
    add_if_changed(name);
  }
  if (settings.gradient_clip_val > 0) {
    all.push_back(fmt::format("gradient_clip_val={}, gradient_clip_algorithm=\"{}\"",
                              settings.gradient_clip_val, settings.gradient_clip_algorithm));
  }
  if (settings.save_every_n_steps > 0) {
    all.push_back(
        fmt::format("callbacks=[L.pytorch.callbacks.ModelCheckpoint(every_n_train_steps={})]",
                    settings.save_every_n_steps));
  }
  return all;
}

// Of each device, as processes of PyTorch/XLA have a loader each.
std::string workers(const Settings& settings) {
  if (settings.loader_workers < 0) return {};
  return fmt::format(", num_workers={}", settings.loader_workers);
}

constexpr const char* script = R"(# {title}
#
{machine}{start}# Here:  analyse report.txt
import lightning as L
{timm}import torch
{torch_xla}import torch_xla.debug.metrics as met
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

digits = load_digits()
x = torch.tensor(digits.data / 16, dtype=torch.float32)
y = torch.tensor(digits.target)
train = TensorDataset(x[:{rows}], y[:{rows}])
test = TensorDataset(x[{rows}:], y[{rows}:])


class Digits(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential({layers})

    def training_step(self, batch, _):
        loss = nn.functional.cross_entropy(self.net(batch[0]), batch[1])
{item}        self.log("train_loss", loss, prog_bar={bar})
        return loss

    def validation_step(self, batch, _):
        right = (self.net(batch[0]).argmax(1) == batch[1]).float().mean()
        self.log("val_acc", right, sync_dist=True)
{sync}
    # Several devices train in processes of their own: what they count is theirs alone.
    def on_fit_end(self):
        if self.trainer.is_global_zero:
            print(met.metrics_report())

    def configure_optimizers(self):
        return {optimizer}


if __name__ == "__main__":
    L.seed_everything({seed})
    trainer = L.Trainer(
        {arguments},
    )
    trainer.fit(
        Digits(),
        DataLoader(train, batch_size={batch}, shuffle=True, drop_last={drop_last}{workers}),
        DataLoader(test, batch_size={batch}{workers}),
    )
)";

std::string_view python(bool value) { return value ? "True" : "False"; }

}  // namespace

std::string lightning_script(const Settings& settings) {
  check_can_be_written(settings);
  const Machine machine = machine_for(settings);
  using fmt::arg;
  return fmt::format(
      fmt::runtime(script), arg("title", model_title(settings) + ", " + batch_text(settings)),
      arg("machine", machine_lines(machine.slice)), arg("start", start_lines(machine.slice)),
      arg("rows", dataset_of(settings).training_rows), arg("layers", layers(settings)),
      arg("item", settings.item_every_n_steps == 1 ? "        loss.item()\n" : ""),
      arg("bar", python(settings.progress_bar)), arg("optimizer", optimizer(settings)),
      arg("timm", optimizer_of(settings) == OptimizerKind::lamb ? "import timm\n" : ""),
      arg("torch_xla", settings.sync_validation ? "import torch_xla\n" : ""),
      arg("sync", settings.sync_validation ? "        torch_xla.sync()\n" : ""),
      arg("seed", settings.seed),
      arg("arguments", fmt::format("{}", fmt::join(trainer_arguments(settings), ",\n        "))),
      arg("batch", settings.batch), arg("workers", workers(settings)),
      arg("drop_last", python(settings.drop_last)));
}

}  // namespace tpulab
