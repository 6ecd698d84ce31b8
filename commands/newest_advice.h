// The advice that was given last, so that its numbers can be typed: it may come from a thread of
// its own, after the command has replied.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "engine/session/advise.h"

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

 private:
  mutable std::mutex mutex_;
  std::optional<Advice> advice_;
};

}  // namespace tpulab
