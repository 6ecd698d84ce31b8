#include "commands/newest_advice.h"

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

std::optional<Prediction> NewestAdvice::expected(const Settings& settings) const {
  if (!expected_ || of_steps(expected_->first) != of_steps(settings)) return std::nullopt;
  return expected_->second;
}

}  // namespace tpulab
