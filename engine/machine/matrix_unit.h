// Clocks of a product on weight-stationary systolic arrays: a tile of one operand (side x side)
// stays in the array while rows of the other stream through it.
#pragma once

#include <cstdint>

#include "engine/base/work.h"
#include "engine/machine/generation.h"

namespace tpulab {

// One tile of stationary weights is a fold. K is split into ceil(k / side) folds, the stationary
// width into ceil(width / side) column tiles, `rows` stream past each.
struct Streaming {
  std::int64_t rows = 0;     // streamed per fold, padded to the sublanes of the dtype
  std::int64_t folds = 0;    // of one unit, one after the other
  std::int64_t columns = 0;  // folds of all units together
  double clocks = 0;
};

// Weights are double-buffered: the next tile loads while rows stream, so that a fold costs
// max(rows, side) clocks, and filling and draining the array (2 side) is paid once [SB: one bubble
// at the start, none when weights change after it].
//   2 side + (folds - 1) max(rows, side) + rows
double double_buffered_clocks(std::int64_t rows, std::int64_t folds, std::int64_t side);
// The same where a tile loads in `load` clocks.
double double_buffered_clocks(std::int64_t rows, std::int64_t folds, std::int64_t side,
                              std::int64_t load);

// The "simple systolic" array: every fold loads its weights, streams and drains before the next
// one starts. Equals SCALE-Sim's weight-stationary total (printed cycles + 1).
//   folds (2 side + side + rows - 2), one array
double simple_systolic_clocks(std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t side);

// How a product is cut so that its blocks fit VMEM. An operand that fits as a whole is read once;
// else each is read once per block of the other side: m k n / block_n and k n m / block_m [PALLAS].
struct Blocking {
  double reread_bytes = 0;  // beyond reading each operand once
  double blocks = 0;
};
Blocking blocking_of(const MatrixWork& work, const Generation& generation);

// Rows and columns of a block: four f32-sized buffers of side^2 fill the scoped VMEM; 16 MiB give
// 1,024, 64 MiB 2,048.
std::int64_t block_side(const Generation& generation);

// The cheaper of streaming m (n is stationary) and streaming n (m is: the transposed product), with
// the column tiles of all batches spread over the units.
Streaming cheapest_streaming(const MatrixWork& work, const Generation& generation);

// 8, 16 or 32 rows of a tile, for 4, 2 or 1 bytes an element [SB, PALLAS].
std::int64_t sublanes_of(DType dtype);

}  // namespace tpulab
