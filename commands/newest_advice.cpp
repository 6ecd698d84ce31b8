#include "commands/newest_advice.h"

#include "commands/advice_words.h"
#include "engine/session/settings/same_steps.h"

namespace tpulab {

namespace {

Prediction prediction_of(const Advice& advice, const Together& applied) {
  const auto rates = [](const Trial& trial) {
    return Rates{trial.steady_rate, trial.rate_with_compile};
  };
  return {
      .change = typed(applied.changes), .before = rates(advice.now), .after = rates(applied.then)};
}

}  // namespace

Together as_one(const Remedy& remedy) {
  return {remedy.typed(), remedy.settings, remedy.then, remedy.gain};
}

void NewestAdvice::expect(const Advice& advice, const Together& applied) {
  expected_ = {applied.settings, prediction_of(advice, applied)};
}

std::optional<Prediction> NewestAdvice::expected(const Settings& settings) const {
  if (const std::optional<Advice> advice = copy()) {
    for (const Remedy& remedy : advice->remedies) {
      if (same_run(remedy.settings, settings)) return prediction_of(*advice, as_one(remedy));
    }
    if (advice->together && same_run(advice->together->settings, settings)) {
      return prediction_of(*advice, *advice->together);
    }
  }
  const bool applied = expected_ && same_run(expected_->first, settings);
  return applied ? std::optional(expected_->second) : std::nullopt;
}

}  // namespace tpulab
