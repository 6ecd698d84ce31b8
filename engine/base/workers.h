// A pool of threads for the numbers. Work is cut into chunks whose grid never depends on the number
// of workers, so results have the same bits for any number of them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace tpulab {

class Peers;

// Thrown out of work that nobody waits for any more.
struct Cancelled {};

class WorkerPool {
 public:
  // `workers` threads in all, the calling one included; 0 means one per available CPU, of which
  // peers on this computer have their share. Fewer if the computer gives no more threads. After
  // `stop` no chunk begins. `peers`: who computes the other cores of a run, null if none does.
  explicit WorkerPool(int workers = 0, std::stop_token stop = {}, Peers* peers = nullptr);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }
  Peers* peers() const { return peers_; }

  // Runs chunk(0) ... chunk(count - 1), each once, in any order, and returns when all are done.
  // Blocks; the caller works too. The first exception of a chunk is thrown again here; Cancelled
  // once the pool is stopped.
  // Must not be called from inside a chunk.
  void run(std::int64_t count, const std::function<void(std::int64_t)>& chunk);
  // Throws Cancelled once the pool is stopped: for long work on the calling thread alone.
  void look_for_stop() const;

 private:
  void work();
  void run_one(const std::function<void(std::int64_t)>& chunk, std::int64_t number) const;
  void take_chunks(std::unique_lock<std::mutex>& lock);

  std::stop_token stop_;
  Peers* peers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(std::int64_t)>* chunk_ = nullptr;
  std::int64_t next_ = 0;
  std::int64_t count_ = 0;
  std::int64_t running_ = 0;
  std::exception_ptr failure_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tpulab
