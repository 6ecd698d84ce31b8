#include "engine/runtime/tree_sum.h"

#include <algorithm>
#include <vector>

#include "engine/base/peers.h"
#include "engine/base/workers.h"

namespace tpulab {

namespace {

// So small that a block of each level of the tree stays in L2.
constexpr std::int64_t elements_at_once = 4096;

// Of the elements from `first` on, as many as `sum` has; `scratch` has room for the levels below.
void sum_block(std::span<const ArrayView> cores, std::size_t first, std::span<float> sum,
               std::span<float> scratch) {
  if (cores.size() == 1) {
    std::ranges::copy(cores[0].values().subspan(first, sum.size()), sum.begin());
    return;
  }
  const std::size_t half = cores.size() / 2;
  const std::span<float> upper = scratch.first(sum.size());
  const std::span<float> below = scratch.subspan(sum.size());
  sum_block(cores.first(half), first, sum, below);
  sum_block(cores.subspan(half), first, upper, below);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += upper[i];
}

std::size_t levels_of(std::size_t cores) {
  std::size_t levels = 0;
  for (; cores > 1; cores -= cores / 2) ++levels;
  return levels;
}

}  // namespace

void tree_sum(std::span<const ArrayView> cores, std::span<float> sum, WorkerPool& workers) {
  const auto elements = static_cast<std::int64_t>(sum.size());
  const std::int64_t blocks = (elements + elements_at_once - 1) / elements_at_once;
  workers.run(blocks, [&](std::int64_t block) {
    const std::int64_t first = block * elements_at_once;
    const auto count = static_cast<std::size_t>(std::min(elements_at_once, elements - first));
    thread_local std::vector<float> scratch;
    scratch.resize(levels_of(cores.size()) * count);
    const auto at = static_cast<std::size_t>(first);
    sum_block(cores, at, sum.subspan(at, count), scratch);
  });
}

// Which of the two is added to which does not matter to the bits, only who is.
void sum_with_peers(Peers& peers, std::span<float> sum) {
  std::vector<float> theirs(sum.size());
  for (int apart = 1; apart < peers.size(); apart *= 2) {
    peers.exchange(peers.rank() ^ apart, sum, theirs);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += theirs[i];
  }
}

}  // namespace tpulab
