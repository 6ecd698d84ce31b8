// The advice that was given last, so that its numbers can be typed: it may come from a thread of
// its own, after the command has replied.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "engine/session/answers/advise.h"
#include "engine/session/run/prediction.h"

namespace tpulab {

Together as_one(const Remedy& remedy);

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
  // That was applied: a run with its settings should reach what was tried.
  void expect(const Advice& advice, const Together& applied);
  // Of a remedy of the newest advice, however it was typed, or of what was applied of another; none
  // for a run with other settings.
  std::optional<Prediction> expected(const Settings& settings) const;

 private:
  mutable std::mutex mutex_;
  std::optional<Advice> advice_;
  std::optional<std::pair<Settings, Prediction>> expected_;
};

}  // namespace tpulab
