// The library behind the products of tiles: oneDNN, or Eigen where the build has none.
#pragma once

#include <string>

#include "engine/ops/matrix_product.h"

namespace tpulab {

// The library and the instruction set that it uses, "oneDNN, AVX-512": losses keep their bits
// within one of each.
std::string product_library();

// out (extents.m rows of `stride` floats) = left x right, or += if `accumulate`; on this thread
// alone. No extent is 0.
void multiply_tile(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                   float* out, std::int64_t stride);

}  // namespace tpulab
