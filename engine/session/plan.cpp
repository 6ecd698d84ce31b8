#include "engine/session/plan.h"

#include "engine/machine/straggler.h"

namespace tpulab {

namespace {

MatmulPrecision precision_named(const std::string& name) {
  if (name == "high") return MatmulPrecision::high;
  if (name == "highest") return MatmulPrecision::highest;
  return MatmulPrecision::default_;
}

}  // namespace

Machine machine_for(const Settings& settings) {
  Slice slice = slice_named(settings.slice);
  std::vector<Straggler> stragglers = stragglers_named(settings.straggler, slice);
  return {.slice = std::move(slice),
          .host = &host_named(settings.host),
          .stack = &stack_named(settings.stack),
          .devices = chosen_devices(settings),
          .stragglers = std::move(stragglers)};
}

TrainerOptions trainer_options(const Settings& settings) {
  TrainerOptions options;
  options.batch = settings.batch;
  options.hidden = settings.hidden;
  options.optimizer = {.kind = optimizer_named(settings.optimizer),
                       .learning_rate = settings.learning_rate,
                       .momentum = settings.momentum,
                       .warmup_steps = settings.warmup_steps};
  options.max_epochs = settings.max_epochs;
  options.max_steps = settings.max_steps;
  options.seed = static_cast<std::uint64_t>(settings.seed);
  options.split = split_named(settings.split);
  options.log_every_n_steps = settings.log_every_n_steps;
  options.item_every_n_steps = settings.item_every_n_steps;
  options.progress_bar = settings.progress_bar;
  options.class_weights = settings.class_weights;
  options.hard_examples = settings.hard_examples;
  options.drop_last = settings.drop_last;
  // Lightning's 16-true sets a variable that no release reads: the storage stays f32.
  options.storage = settings.precision == "bf16-true" ? DType::bf16 : DType::f32;
  options.precision = precision_named(settings.matmul_precision);
  return options;
}

ExecuteOptions execute_options(const Settings& settings) {
  return {.reference = settings.backend == "reference",
          .separate_replicas = settings.replicas == "separate",
          .numbers = settings.numbers};
}

}  // namespace tpulab
