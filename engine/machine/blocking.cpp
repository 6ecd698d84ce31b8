#include "engine/machine/blocking.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/random_bits.h"
#include "engine/machine/matrix_unit.h"

namespace tpulab {

namespace {

constexpr double mebibyte = 1 << 20;
constexpr double next_block_seconds = 0.1e-6;

// Either side may lie along the lanes: a short one is padded to sublanes.
std::int64_t padded(std::int64_t extent) {
  const std::int64_t unit = extent < lane_count ? sublane_count : lane_count;
  return (extent + unit - 1) / unit * unit;
}

double bytes_of(std::int64_t rows, std::int64_t columns, double width) {
  return width * static_cast<double>(rows) * static_cast<double>(columns);
}

// All that the blocks depend on; equal problems have equal blocks.
struct Problem {
  std::int64_t batch = 1, m = 1, k = 1, n = 1;  // padded
  double left = 0, right = 0, result = 0;       // bytes of one member of the batch
  double moved = 0;                             // bytes of the kernel over HBM, each read once
  double array_seconds = 0;
  double bytes_per_second = 1;
  double scoped = 0;    // bytes of VMEM
  double resident = 0;  // bytes of an operand
  double block_seconds = 0;
  bool one_row = false;
  bool alone = false;
  bool operator==(const Problem&) const = default;
};

Problem problem_of(const MatrixWork& work, double array_seconds, Bytes moved,
                   const Generation& generation, Neighbours neighbours) {
  const double result_width = bytes_of(work.operand);
  const double width = takes_bytes(work, generation) ? 1 : result_width;
  const auto taps = static_cast<double>(work.taps());
  const std::int64_t m = padded(work.m);
  const std::int64_t k = padded(work.k);
  const std::int64_t n = padded(work.n);
  return {.batch = work.batch,
          .m = m,
          .k = k,
          .n = n,
          .left = bytes_of(m, k, width) / taps,  // taps read the same pixels
          .right = bytes_of(k, n, width),
          .result = bytes_of(m, n, result_width),
          .moved = static_cast<double>(moved.value),
          .array_seconds = array_seconds,
          .bytes_per_second = generation.hbm_bytes_per_second * generation.hbm_efficiency,
          .scoped = generation.block_mib * mebibyte,
          .resident = generation.resident_mib * mebibyte,
          .block_seconds = generation.block_seconds,
          .one_row = work.m == 1 || work.n == 1,
          .alone = neighbours == Neighbours::none};
}

// One side of a block, and what share of the whole it is.
struct Side {
  double extent = 0;
  double share = 1;
  double count() const { return 1 / share; }
};

Side side_of(std::int64_t extent, std::int64_t block) {
  const auto whole = static_cast<double>(extent);
  const double taken = std::min(whole, static_cast<double>(block));
  return {taken, taken / whole};
}

struct Candidate {
  Side m, k, n;
  double members = 1;  // of the batch in one block
};

double vmem_of(const Problem& problem, const Candidate& blocks) {
  const double operands = problem.left * blocks.m.share * blocks.k.share +
                          problem.right * blocks.k.share * blocks.n.share;
  const double result = problem.result * blocks.m.share * blocks.n.share;
  const double sums = blocks.k.share < 1 ? blocks.m.extent * blocks.n.extent * 4 : 0;
  return (2 * (operands + result) + sums) * blocks.members;
}

// 1 for an operand that stays on the chip as a whole, 0 for one a sixteenth larger than may stay:
// between them a part does, so that no price jumps.
double staying(const Problem& problem, double bytes) {
  if (problem.resident <= 0) return 0;
  return std::clamp(1 - 16 * (bytes / problem.resident - 1), 0.0, 1.0);
}

double read_bytes(const Problem& problem, const Candidate& blocks) {
  const double once = problem.left + problem.right;
  const double lefts = problem.left * blocks.n.count();
  const double rights = problem.right * blocks.m.count();
  const double again =
      blocks.k.share < 1 ? lefts + rights : std::min(problem.left + rights, lefts + problem.right);
  return std::lerp(again, once, staying(problem, std::min(problem.left, problem.right)));
}

// Bytes that move before the array starts.
double first_bytes(const Problem& problem, const Candidate& blocks) {
  // A vector takes the weights as they come, and needs none of them twice.
  const auto part = [&](double bytes, double share) {
    const double stays = problem.one_row ? 0 : staying(problem, bytes);
    return blocks.members * bytes * std::max(share, stays);
  };
  return part(problem.left, blocks.m.share * blocks.k.share) +
         part(problem.right, blocks.k.share * blocks.n.share);
}

struct Tried {
  Blocking blocking;
  double seconds = 0;
};

Tried tried(const Problem& problem, const Candidate& blocks) {
  const auto batch = static_cast<double>(problem.batch);
  Blocking result;
  result.steps = batch / blocks.members * blocks.m.count() * blocks.k.count() * blocks.n.count();
  result.reread_bytes = batch * (read_bytes(problem, blocks) - problem.left - problem.right);
  if (problem.alone) {
    const double first = first_bytes(problem, blocks);
    const double last = blocks.members * problem.result * blocks.m.share * blocks.n.share;
    result.end_bytes = std::min(problem.moved, first + last);
  }
  const double once = (problem.moved - result.end_bytes) / problem.bytes_per_second;
  const double all = once + result.reread_bytes / problem.bytes_per_second;
  const double more = std::max(0.0, result.steps - 1);
  result.start_seconds =
      std::max(more * next_block_seconds, more * problem.block_seconds - problem.array_seconds);
  const double array = problem.array_seconds + result.start_seconds;
  const double seconds =
      result.end_bytes / problem.bytes_per_second + std::max(all, beside(array, once));
  return {result, seconds};
}

// Blocks are powers of two from the lanes to the first that holds the whole; of equals the largest.
std::int64_t last_block(std::int64_t extent) {
  return std::max(lane_count,
                  static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent))));
}

void keep_better(Tried& best, const Problem& problem, const Candidate& blocks) {
  if (vmem_of(problem, blocks) > problem.scoped) return;
  const Tried next = tried(problem, blocks);
  if (best.seconds <= 0 || next.seconds < best.seconds) best = next;
}

Blocking searched(const Problem& problem) {
  Tried best;
  for (std::int64_t m = last_block(problem.m); m >= lane_count; m /= 2) {
    for (std::int64_t n = last_block(problem.n); n >= lane_count; n /= 2) {
      for (std::int64_t k = last_block(problem.k); k >= lane_count; k /= 2) {
        keep_better(best, problem,
                    {side_of(problem.m, m), side_of(problem.k, k), side_of(problem.n, n)});
      }
    }
  }
  const Candidate whole{side_of(problem.m, last_block(problem.m)),
                        side_of(problem.k, last_block(problem.k)),
                        side_of(problem.n, last_block(problem.n))};
  for (std::int64_t members = 2; members < 2 * problem.batch; members *= 2) {
    Candidate together = whole;
    together.members = static_cast<double>(std::min(members, problem.batch));
    keep_better(best, problem, together);
  }
  // The smallest blocks fit every chip; a test sweeps shapes and generations.
  expects(best.seconds > 0, "blocks that fit");
  return best.blocking;
}

std::size_t hash_of(const Problem& problem) {
  std::size_t hash = problem.alone ? 1 : 0;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(problem.batch), static_cast<std::uint64_t>(problem.m),
        static_cast<std::uint64_t>(problem.k), static_cast<std::uint64_t>(problem.n),
        std::bit_cast<std::uint64_t>(problem.array_seconds),
        std::bit_cast<std::uint64_t>(problem.moved),
        std::bit_cast<std::uint64_t>(problem.bytes_per_second)}) {
    hash = hashed(hash, part);
  }
  return hash;
}

}  // namespace

double grid_steps(const KernelWork& kernel, Neighbours neighbours) {
  const MatrixWork* first = nullptr;
  int products = 0;
  for (const Work& item : kernel.items) {
    const auto* const product = std::get_if<MatrixWork>(&item);
    if (product != nullptr && products++ == 0) first = product;
  }
  // Attention, and no convolution that the next one reads.
  if (products < 2 || first->m < lane_count || first->taps() > 1) return 0;
  const double side = neighbours == Neighbours::none ? 512 : 2048;
  const double queries = std::ceil(static_cast<double>(first->m) / side);
  const double keys = std::ceil(static_cast<double>(first->n) / side);
  return static_cast<double>(first->batch) * queries * (keys + 1);
}

double beside(double seconds, double others) {
  const double first = seconds * seconds;
  const double second = others * others;
  return std::sqrt(std::sqrt(first * first + second * second));
}

Blocking best_blocking(const MatrixWork& work, double array_seconds, Bytes moved,
                       const Generation& generation, Neighbours neighbours) {
  struct Entry {
    Problem problem{.batch = 0};
    Blocking blocking;
  };
  thread_local std::array<Entry, 1024> known;
  const Problem problem = problem_of(work, array_seconds, moved, generation, neighbours);
  Entry& entry = known.at(hash_of(problem) % known.size());
  if (entry.problem != problem) entry = {problem, searched(problem)};
  return entry.blocking;
}

}  // namespace tpulab
