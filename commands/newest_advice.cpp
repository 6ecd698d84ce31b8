#include "commands/newest_advice.h"

#include "engine/session/settings/same_steps.h"

namespace tpulab {

std::optional<Prediction> NewestAdvice::expected(const Settings& settings) const {
  if (!expected_ || !same_run(expected_->first, settings)) return std::nullopt;
  return expected_->second;
}

}  // namespace tpulab
