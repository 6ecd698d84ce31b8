// The library behind the products of tiles: oneDNN, or Eigen where the build has none.
#pragma once

#include <string>

#include "engine/ops/matrix_product.h"

namespace tpulab {

// The library and the instruction set that it uses, "oneDNN, AVX-512": losses keep their bits
// within one of each.
std::string product_library();

// Whether multiply_tile() reads a factor whose rows are so many floats apart at a fraction of its
// speed: then a copy of it in other steps costs less.
bool reads_slowly(std::int64_t stride);

// out (extents.m rows of `stride` floats) = left x right, or += if `accumulate`; on this thread
// alone. No extent is 0.
void multiply_tile(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                   float* out, std::int64_t stride);

}  // namespace tpulab
