// A bounded queue from the prompt to the engine: says "full" instead of blocking the screen.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace tpulab {

template <class T>
class Inbox {
 public:
  explicit Inbox(std::size_t capacity = 64) : capacity_(capacity) {}

  // Never blocks; false if full.
  bool post(T value) {
    {
      const std::lock_guard lock(mutex_);
      if (queue_.size() >= capacity_) return false;
      queue_.push_back(std::move(value));
      ++posted_;
    }
    changed_.notify_all();
    return true;
  }

  std::optional<T> take() {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return std::nullopt;
    T value = std::move(queue_.front());
    queue_.pop_front();
    return value;
  }

  // Blocks until there is something to take, the limit passes or a stop is asked for.
  template <class Duration>
  void wait_for(const std::stop_token& stop, Duration limit) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, limit, [this] { return !queue_.empty(); });
  }
  void wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [this] { return !queue_.empty(); });
  }

  std::uint64_t posted() const {
    const std::lock_guard lock(mutex_);
    return posted_;
  }

 private:
  std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<T> queue_;
  std::uint64_t posted_ = 0;
};

}  // namespace tpulab
