// The advice that was given last, so that its numbers can be typed: it may come from a thread of
// its own, after the command has replied.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "engine/session/answers/advise.h"
#include "engine/session/run/prediction.h"

namespace tpulab {

class NewestAdvice {
 public:
  void keep(Advice advice) {
    const std::lock_guard lock(mutex_);
    advice_ = std::move(advice);
  }
  std::optional<Advice> copy() const {
    const std::lock_guard lock(mutex_);
    return advice_;
  }
  // Some of it was applied: a run with these settings should reach that.
  void expect(Settings settings, Prediction prediction) {
    expected_ = {std::move(settings), std::move(prediction)};
  }
  // None for a run with other settings.
  std::optional<Prediction> expected(const Settings& settings) const;

 private:
  mutable std::mutex mutex_;
  std::optional<Advice> advice_;
  std::optional<std::pair<Settings, Prediction>> expected_;
};

}  // namespace tpulab
