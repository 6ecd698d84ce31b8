// The newest value, from one thread to another. A mutex: GCC 12's atomic<shared_ptr> races.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace tpulab {

template <class T>
class Latest {
 public:
  explicit Latest(std::shared_ptr<const T> first) : value_(std::move(first)) {}

  void publish(std::shared_ptr<const T> value) {
    const std::lock_guard lock(mutex_);
    value_.swap(value);
  }
  std::shared_ptr<const T> read() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace tpulab
