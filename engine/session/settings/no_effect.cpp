#include "engine/session/no_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "engine/forecast/single_kernel.h"
#include "engine/forecast/timed_training.h"
#include "engine/session/gpu_settings.h"
#include "engine/session/imported_models.h"
#include "engine/session/loop_rows.h"
#include "engine/session/plan.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

bool among(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_of_loop(std::string_view name) {
  return std::ranges::find(loop_rows(), name, &SettingRow::name) != loop_rows().end();
}

std::string on_named(const Settings& settings, std::string_view name) {
  if (name == "max_epochs") {
    return fmt::format(
        "no effect on {}, whose data are not here: a run takes max_steps, else {} steps",
        settings.model, TimedTraining::usual_steps);
  }
  // Other data may be trained.
  if (name == "data" && !names_file(settings.model) && trained_model(settings.model, {})) return {};
  if (among(name,
            {"hidden", "data", "split", "drop_last", "class_weights", "hard_examples", "seed",
             "learning_rate", "momentum", "warmup_steps", "replicas", "backend", "workers"}) ||
      is_of_loop(name)) {
    return fmt::format("no effect on {}, of which only the time is known", settings.model);
  }
  if (names_program(settings.model) &&
      among(name, {"batch", "batch.global", "sequence", "image", "mesh", "remat", "quant",
                   "precision", "matmul.precision", "optimizer"})) {
    return fmt::format("no effect on {}, which is what its text says", settings.model);
  }
  if (name == "optimizer" && names_kernel(settings.model)) {
    return fmt::format("no effect on {}, a kernel that is not trained", settings.model);
  }
  return {};
}

std::string on_trained(const Settings& settings, std::string_view name) {
  if (among(name, {"sequence", "image", "mesh", "remat", "quant"})) {
    return fmt::format("no effect on {}, which is trained as it is", settings.model);
  }
  if (name == "hidden" && settings.model != "mlp") {
    return fmt::format("no effect on {}, whose layers are its own", settings.model);
  }
  if (name == "momentum" && optimizer_of(settings) != OptimizerKind::sgd) {
    return fmt::format("no effect on {}, which has its own", name_of(optimizer_of(settings)));
  }
  if (name == "num_sanity_val_steps" && !stack_named(settings.stack).traces_each_step()) {
    return fmt::format("no effect on {}, which has no sanity check", settings.stack);
  }
  if (name == "gradient_clip_algorithm" && settings.gradient_clip_val == 0) {
    return "no effect while gradient_clip_val is 0";
  }
  if (among(name, {"limit_train_batches", "limit_val_batches"}) &&
      !settings.overfit_batches.nothing()) {
    return "no effect while overfit_batches is set, which overrides it";
  }
  if (!settings.numbers && among(name, {"backend", "workers", "replicas"})) {
    return "no effect with numbers off";
  }
  return {};
}

}  // namespace

std::string no_effect(const Settings& settings, std::string_view name) {
  if (name == "gpu.precision" && !on_gpus(settings)) {
    return fmt::format("no effect on {}, which has TPUs", settings.slice);
  }
  return is_named(settings) ? on_named(settings, name) : on_trained(settings, name);
}

std::string meaning_of(const SettingRow& row, const Settings& settings) {
  std::string none = no_effect(settings, row.name);
  if (!none.empty() || row.meaning == nullptr) return none;
  return row.meaning(settings);
}

}  // namespace tpulab
