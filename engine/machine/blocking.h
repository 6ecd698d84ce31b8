// How a product is cut into blocks that fit the kernel's share of VMEM: a search, cached.
#pragma once

#include "engine/base/work.h"
#include "engine/machine/generation.h"

namespace tpulab {

// Whether the kernel before hides the loading of this one's first blocks. A kernel measured by
// itself has none before it, and none behind it that would hide its last store.
enum class Neighbours : unsigned char { around, none };
// `alone`: as kernels are measured by themselves, not in a training step.
constexpr Neighbours neighbours_of(bool alone, std::size_t kernels) {
  return alone && kernels == 1 ? Neighbours::none : Neighbours::around;
}

struct Blocking {
  double steps = 1;  // blocks one after the other; a share of one where the last is not full
  double start_seconds = 0;  // of all but the first, where the array waits for them
  double reread_bytes = 0;   // beyond reading each operand once
  double end_bytes = 0;      // that move before the array can start and after it has ended
};

// The blocks (m, k, n), powers of two, that take the least time of
//   ends + max(bytes between, array and its waits beside bytes read once),
// where two blocks of both operands and of the result, and sums in f32 where k is cut, fit
// block_mib. An operand of up to resident_mib stays on the chip as a whole: it is not read again,
// and loaded before the array starts unless a neighbour hides that. From a sixteenth more on a
// product reads m k n / block_n + k n m / block_m, or one of them once if k is whole [PALLAS; PTS
// v6e: 90 % of the peak at 96 MiB, 73 % at 100]. Small members of a batch share a block.
//   A block starts while the one before it is multiplied: the array waits 0.1 us [PTS v6e: products
// of 1,024^3 and more], or what block_seconds exceeds its work by.
// `array_seconds` of the whole product, without waiting; `moved` over HBM by the whole kernel, each
// operand once.
Blocking best_blocking(const MatrixWork& work, double array_seconds, Bytes moved,
                       const Generation& generation, Neighbours neighbours);

// Steps of a kernel that walks a grid of blocks itself, one block of queries after the other: one
// for each block of keys and one to store. It is told by its two products, with nothing between
// them leaving the chip, of at least 128 rows; 0 for all others. Blocks have a side of 512 in a
// kernel by itself [PTS v6e], of 2,048 as recipes of training set them [TPUR].
double grid_steps(const KernelWork& kernel, Neighbours neighbours);

// Two resources that work at the same time without hiding each other wholly: (a^4 + b^4)^(1/4),
// 19 % more than either where they are equal.
double beside(double seconds, double others);

}  // namespace tpulab
