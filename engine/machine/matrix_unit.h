// Clocks of a product on weight-stationary systolic arrays: a tile of one operand (side x side)
// stays in the array while rows of the other stream through it.
#pragma once

#include <cstdint>

#include "engine/base/work.h"
#include "engine/machine/generation.h"

namespace tpulab {

// One tile of stationary weights is a fold. K is split into ceil(k / side) folds, the stationary
// width into ceil(width / side) column tiles, and the other operand's rows stream past each.
struct Streaming {
  std::int64_t rows = 0;    // streamed per fold of one unit, padded to the sublanes of the dtype
  std::int64_t folds = 0;   // of one unit, one after the other
  std::int64_t stream = 0;  // folds times rows of all units together
  std::int64_t tiles = 0;   // that lie in all units, one fold each
  std::int64_t load = 0;    // clocks in which a tile is loaded
  bool streams_m = true;    // else n
  double clocks = 0;
};

// Weights are double-buffered: the next tile loads while rows stream, so that a fold costs
// max(rows, side) clocks, and filling and draining the array (2 side) is paid once [SB: one bubble
// at the start, none when weights change after it]. A tile loads in `load` clocks.
//   2 side + (folds - 1) max(rows, load) + rows
double double_buffered_clocks(std::int64_t rows, std::int64_t folds, std::int64_t side,
                              std::int64_t load);

// The cheapest of streaming m (n is stationary) and streaming n (m is: the transposed product),
// each with units that take folds of their own or share the rows of one.
//   A window packs its taps densely into folds [XLA's compiler: 5 x 5 x 32 channels are 7 folds of
// 128, their rows shared by both units of v3 and all four of v5e].
Streaming cheapest_streaming(const MatrixWork& work, const Generation& generation);

// How much faster than bf16 operands the array takes those of a product.
double operand_speed(const MatrixWork& work, const Generation& generation);
// Whether it takes them as bytes: int8, and fp8 where the array has it.
bool takes_bytes(const MatrixWork& work, const Generation& generation);

// Whether the vector unit turns the taps of few channels to their lanes, as it does where images
// lie in the sublanes: then the elements of a kernel take turns with its product [TPU compiler, v3
// and v4: a gradient of 64 channels behind a normalization takes its matrix and its vector clocks].
bool turns_taps(const MatrixWork& work);

// 8, 16 or 32 rows of a tile, for 4, 2 or 1 bytes an element [SB, PALLAS].
std::int64_t sublanes_of(DType dtype);

}  // namespace tpulab
