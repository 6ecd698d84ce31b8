// The catalogue: one line of prose per op. Each op is one file of this folder.
#pragma once

#include <span>

#include "engine/graph/graph.h"

namespace tpulab {

// How f32 products use the matrix unit: 1, 3 or 6 bf16 passes.
enum class MatmulPrecision : std::uint8_t { default_, high, highest };
int passes_of(MatmulPrecision precision);

struct MatmulOptions {
  bool transpose_left = false;
  bool transpose_right = false;
  MatmulPrecision precision = MatmulPrecision::default_;
};

// [m,k] x [k,n] -> [m,n]; an operand may be read transposed. bf16 operands, f32 accumulation
// (default), or 3 or 6 passes. The result has the left operand's dtype.
Tensor matmul(Tensor left, Tensor right, MatmulOptions options = {});

// Elementwise. Shapes are equal, or one is a scalar, or the right is [n] under [m,n] (a bias).
Tensor add(Tensor left, Tensor right);
Tensor subtract(Tensor left, Tensor right);
Tensor multiply(Tensor left, Tensor right);
Tensor divide(Tensor left, Tensor right);
Tensor maximum(Tensor left, Tensor right);
Tensor relu(Tensor x);                            // max(x, 0)
Tensor relu_gradient(Tensor x, Tensor upstream);  // upstream where x > 0, else 0
Tensor square_root(Tensor x);
Tensor greater(Tensor left, Tensor right);  // pred: 1 or 0
Tensor select(Tensor condition, Tensor when_true, Tensor when_false);
Tensor convert(Tensor x, DType dtype);  // no node if x already has it

// A scalar as PyTorch/XLA traces it: 0, 1 and -1 become constants of the graph, any other value is
// device data, so that it may change without a new program.
Tensor scalar(Graph& graph, double value, const char* label = "");
// A constant array of one value; the value is a static attribute.
Tensor constant(Graph& graph, double value, const Shape& shape, DType dtype);

// Reductions. `axis` is kept away from the result.
Tensor reduce_sum(Tensor x, int axis);
// Mean over all elements of a vector of rows -> scalar.
Tensor mean(Tensor rows);
// Repeats a scalar to a shape, or a vector [n] to [m,n].
Tensor broadcast_to(Tensor x, const Shape& shape);

// logits [m,n], labels s32 [m] -> per-row loss [m].
Tensor softmax_cross_entropy(Tensor logits, Tensor labels);
// logits [m,n], labels s32 [m] -> 1 where the largest logit is the label's, else 0: [m], f32.
Tensor correct_rows(Tensor logits, Tensor labels);

// x [n] or [n,d], indices s32 [m] -> [m] or [m,d].
Tensor gather(Tensor x, Tensor indices);
// updates [m] or [m,d] added into zeros [rows] or [rows,d] at indices s32 [m].
Tensor scatter_add(Tensor updates, Tensor indices, std::int64_t rows);

// Sum over the cores, divided by their number if `mean`; the result is the same on each core.
// `world` is a static attribute: another number of cores is another program. No node if world is 1.
Tensor all_reduce(Tensor x, int world, bool mean);

// A TPU cannot run these: each call cuts the graph, downloads, runs on the host's CPU and uploads.
Tensor nonzero(Tensor x);                           // aten::nonzero: s32 [count], sizes from values
Tensor bincount(Tensor labels, std::int64_t bins);  // aten::bincount: f32 [bins]

}  // namespace tpulab
