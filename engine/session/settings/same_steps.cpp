#include "engine/session/settings/same_steps.h"

namespace tpulab {

namespace {

// Without what changes no step's TPU time.
Settings of_run(Settings settings) {
  const Settings defaults;
  settings.numbers = defaults.numbers;
  settings.replicas = defaults.replicas;
  settings.gpu_precision = defaults.gpu_precision;
  settings.backend = defaults.backend;
  settings.workers = defaults.workers;
  settings.pace = defaults.pace;
  settings.format = defaults.format;
  return settings;
}

// Without what changes only how many there are, and how far each moves the weights.
Settings of_steps(const Settings& settings) {
  const Settings defaults;
  Settings steps = of_run(settings);
  steps.max_epochs = defaults.max_epochs;
  steps.max_steps = defaults.max_steps;
  steps.learning_rate = defaults.learning_rate;
  return steps;
}

}  // namespace

bool same_run(const Settings& a, const Settings& b) { return of_run(a) == of_run(b); }
bool same_steps(const Settings& a, const Settings& b) { return of_steps(a) == of_steps(b); }

}  // namespace tpulab
