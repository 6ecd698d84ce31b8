// What a sum over processes costs beyond the same tree in one: gradients of the default network,
// 1,126,410 floats on each of 8 cores, wall time. Alone it measures the tree; started with
// `mpirun -n 4` (CMake option TPULAB_MPI) the processes as well.
#include "engine/base/peers.h"

#include <random>
#include <ranges>
#include <vector>

#include "bench/fma_peak.h"
#include "bench/row.h"
#include "engine/base/workers.h"
#include "engine/runtime/tree_sum.h"

namespace tpulab::bench {
namespace {

constexpr int rounds = 41;
constexpr std::int64_t cores = 8;
constexpr std::int64_t floats = 1'126'410;

std::vector<Array> gradients() {
  std::mt19937 random(1);
  std::vector<Array> all;
  for (std::int64_t core = 0; core < cores; ++core) {
    Array values({floats});
    for (float& value : values.values()) value = static_cast<float>(random()) * 1e-9F;
    all.push_back(std::move(values));
  }
  return all;
}

double seconds_of(const auto& work) {
  const double start = wall_seconds();
  work();
  return wall_seconds() - start;
}

void measure(Peers* peers) {
  const int processes = peers != nullptr ? peers->size() : 1;
  const int rank = peers != nullptr ? peers->rank() : 0;
  const std::vector<Array> all = gradients();
  std::vector<ArrayView> views;
  for (const Array& array : all) views.push_back(array.view());
  const auto own = static_cast<std::size_t>(cores / processes);
  const auto part = std::span(views).subspan(static_cast<std::size_t>(rank) * own, own);
  WorkerPool workers(0, {}, peers);
  std::vector<float> sum(static_cast<std::size_t>(floats));
  std::vector<float> shared(sum.size());
  std::vector<double> one, over;
  for (int round = 0; round < rounds; ++round) {
    if (rank == 0) one.push_back(seconds_of([&] { tree_sum(views, sum, workers); }));
    if (peers == nullptr) continue;
    peers->broadcast(0, "");  // all at once
    const double together = seconds_of([&] {
      tree_sum(part, shared, workers);
      sum_with_peers(*peers, shared);
    });
    if (rank == 0) over.push_back(together - one.back());
  }
  if (rank > 0) return;
  row("peers", "tree of 8 cores in one process", 1e3 * median(one), "ms", std::nullopt, "lower");
  if (over.empty()) return;
  row("peers", fmt::format("{} processes over one", processes), 1e3 * median(over), "ms", 10.0,
      "lower");
  row("peers", "elements with other bits",
      static_cast<double>(
          std::ranges::count_if(std::views::iota(std::size_t{0}, sum.size()),
                                [&](std::size_t i) { return sum[i] != shared[i]; })),
      "", 0.0, "lower");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  const auto peers = tpulab::started_peers();
  tpulab::bench::measure(peers.get());
}
