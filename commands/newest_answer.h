// The newest answer that was worked out beside the run, whole: at the prompt it comes after the
// command has replied, and without the rows that scripts get.
#pragma once

#include <mutex>
#include <utility>

#include "commands/answer.h"

namespace tpulab {

class NewestAnswer {
 public:
  void keep(Answer answer) {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
  }
  Answer copy() const {
    const std::lock_guard lock(mutex_);
    return answer_;
  }

 private:
  mutable std::mutex mutex_;
  Answer answer_;
};

}  // namespace tpulab
