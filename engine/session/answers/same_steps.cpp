#include "engine/session/answers/same_steps.h"

namespace tpulab {

namespace {

// Without what changes no step's TPU time.
Settings of_steps(Settings settings) {
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

}  // namespace

bool same_steps(const Settings& a, const Settings& b) { return of_steps(a) == of_steps(b); }

}  // namespace tpulab
