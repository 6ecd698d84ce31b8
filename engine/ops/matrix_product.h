// The numbers of a matrix product: f32 accumulation over operands that may be read transposed.
#pragma once

#include "engine/graph/op.h"
#include "engine/ops/ops.h"

namespace tpulab {

// One operand as it lies in memory: row-major, `stride` floats from one stored row to the next.
struct Factor {
  const float* data = nullptr;
  std::int64_t stride = 0;
  bool transposed = false;
};

struct ProductExtents {
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
};

// out = left x right, or out += left x right. One thread per tile of a grid that depends on the
// extents only, so the bits are equal for any number of workers. [perf-baseline 2]
void tiled_product(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                   float* out, const EvaluateContext& context);

// The same with k summed strictly in order and without FMA: equal bits on every x86-64.
void reference_product(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                       float* out, const EvaluateContext& context);

// The whole product as the matrix unit does it: f32 operands are rounded to bf16 (`default_`),
// split into two bf16 parts with three products (`high`), or used as they are (`highest`, which
// stands for six passes). bf16 operands are already rounded and need one product.
void matrix_product(const ArrayView& left, const ArrayView& right, const MatmulOptions& options,
                    const ArraySpan& out, const EvaluateContext& context);

}  // namespace tpulab
