#include "engine/base/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace tpulab::test::workers_test {
namespace {

TEST(WorkerPool, runs_every_chunk_exactly_once) {
  for (const int workers : {1, 2, 4}) {
    WorkerPool pool(workers);
    EXPECT_EQ(pool.workers(), workers);
    for (const std::int64_t count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
      pool.run(count, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
      for (const auto& times : runs) EXPECT_EQ(times, 1);
    }
  }
}

TEST(WorkerPool, has_a_worker_per_cpu_unless_told) { EXPECT_GE(WorkerPool().workers(), 1); }

TEST(WorkerPool, throws_a_chunks_exception_where_run_was_called) {
  for (const int workers : {1, 3}) {
    WorkerPool pool(workers);
    const auto chunk = [](std::int64_t i) {
      if (i == 5) throw std::runtime_error("chunk 5");
    };
    try {
      pool.run(100, chunk);
      FAIL() << "nothing thrown with " << workers << " workers";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "chunk 5");
    }
  }
}

TEST(WorkerPool, starts_no_more_chunks_after_an_exception) {
  WorkerPool pool(2);
  std::atomic<int> runs = 0;
  EXPECT_THROW(pool.run(1'000'000,
                        [&](std::int64_t) {
                          ++runs;
                          throw std::runtime_error("at once");
                        }),
               std::runtime_error);
  EXPECT_LE(runs, 2);
}

TEST(WorkerPool, begins_no_chunk_after_a_stop) {
  for (const int workers : {1, 3}) {
    std::stop_source source;
    WorkerPool pool(workers, source.get_token());
    std::atomic<int> runs = 0;
    const auto chunk = [&](std::int64_t) {
      ++runs;
      source.request_stop();
    };
    EXPECT_THROW(pool.run(1'000'000, chunk), Cancelled);
    EXPECT_LE(runs, workers);
    EXPECT_THROW(pool.run(1, chunk), Cancelled);
  }
}

TEST(WorkerPool, works_on_after_an_exception) {
  WorkerPool pool(3);
  EXPECT_THROW(pool.run(10, [](std::int64_t) { throw std::runtime_error("no"); }),
               std::runtime_error);
  std::atomic<std::int64_t> sum = 0;
  pool.run(10, [&](std::int64_t i) { sum += i; });
  EXPECT_EQ(sum, 45);
}

// Many short runs: a worker that wakes late must not see the chunks of the next run.
TEST(WorkerPool, keeps_runs_apart) {
  WorkerPool pool(4);
  for (std::int64_t round = 1; round <= 500; ++round) {
    std::atomic<std::int64_t> sum = 0;
    pool.run(round % 7 + 2, [&](std::int64_t) { sum += round; });
    ASSERT_EQ(sum, round * (round % 7 + 2));
  }
}

}  // namespace
}  // namespace tpulab::test::workers_test
