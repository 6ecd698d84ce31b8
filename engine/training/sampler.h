// Which rows each core sees, as Lightning's DistributedSampler deals them.
#pragma once

#include <cstdint>
#include <vector>

namespace tpulab {

// Rounded up: the first rows are repeated.
inline std::int64_t rows_of_core(std::int64_t rows, std::int64_t world) {
  return (rows + world - 1) / world;
}

class Sampler {
 public:
  // Shuffles anew each epoch by seed + epoch if `shuffle`.
  Sampler(std::int64_t rows, int world, bool shuffle, std::uint64_t seed);

  void begin_epoch(std::int64_t epoch);
  std::int64_t rows_per_core() const { return per_core_; }
  std::int64_t repeated() const { return per_core_ * world_ - rows_; }
  // The rows of `core` in places first .. first + count - 1 of its epoch.
  std::vector<std::int64_t> rows(int core, std::int64_t first, std::int64_t count) const;

 private:
  std::int64_t rows_;
  int world_;
  bool shuffle_;
  std::uint64_t seed_;
  std::int64_t per_core_;
  std::vector<std::int64_t> order_;
};

}  // namespace tpulab
