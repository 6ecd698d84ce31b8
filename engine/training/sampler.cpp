#include "engine/training/sampler.h"

#include <numeric>

#include "engine/training/random.h"

namespace tpulab {

Sampler::Sampler(std::int64_t rows, int world, bool shuffle, std::uint64_t seed)
    : rows_(rows),
      world_(world),
      shuffle_(shuffle),
      seed_(seed),
      per_core_(rows_of_core(rows, world)) {
  begin_epoch(0);
}

void Sampler::begin_epoch(std::int64_t epoch) {
  if (shuffle_) {
    order_ = permutation(rows_, Random(seed_ * 1'000'003 + static_cast<std::uint64_t>(epoch)));
  } else {
    order_.resize(static_cast<std::size_t>(rows_));
    std::iota(order_.begin(), order_.end(), 0);
  }
  const auto total = static_cast<std::size_t>(per_core_ * world_);
  for (std::size_t i = 0; order_.size() < total; ++i) order_.push_back(order_[i]);
}

std::vector<std::int64_t> Sampler::rows(int core, std::int64_t first, std::int64_t count) const {
  std::vector<std::int64_t> result;
  for (std::int64_t place = first; place < first + count; ++place) {
    result.push_back(order_[static_cast<std::size_t>(place * world_ + core)]);
  }
  return result;
}

}  // namespace tpulab
