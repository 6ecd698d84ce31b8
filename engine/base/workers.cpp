#include "engine/base/workers.h"

#include <system_error>
#include <utility>

#include "engine/base/cpus.h"
#include "engine/base/peers.h"

namespace tpulab {

WorkerPool::WorkerPool(int workers, std::stop_token stop, Peers* peers)
    : stop_(std::move(stop)), peers_(peers) {
  const int sharing = peers != nullptr ? peers->here() : 1;
  const int wanted = workers > 0 ? workers : available_cpus() / sharing;
  try {
    for (int i = 1; i < wanted; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The computer gives no more threads: those that there are do the work.
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(std::int64_t count, const std::function<void(std::int64_t)>& chunk) {
  if (threads_.empty() || count <= 1) {
    for (std::int64_t i = 0; i < count; ++i) run_one(chunk, i);
    return;
  }
  std::unique_lock lock(mutex_);
  chunk_ = &chunk;
  next_ = 0;
  count_ = count;
  failure_ = nullptr;
  wake_.notify_all();
  take_chunks(lock);
  done_.wait(lock, [this] { return running_ == 0; });
  chunk_ = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void WorkerPool::run_one(const std::function<void(std::int64_t)>& chunk,
                         std::int64_t number) const {
  look_for_stop();
  chunk(number);
}

void WorkerPool::look_for_stop() const {
  if (stop_.stop_requested()) throw Cancelled();
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || (chunk_ && next_ < count_); });
    if (stopping_) return;
    take_chunks(lock);
    if (running_ == 0) done_.notify_one();
  }
}

void WorkerPool::take_chunks(std::unique_lock<std::mutex>& lock) {
  while (next_ < count_) {
    const std::int64_t mine = next_++;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      run_one(*chunk_, mine);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    if (failure) {
      failure_ = failure;
      next_ = count_;
    }
  }
}

}  // namespace tpulab
