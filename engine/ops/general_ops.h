// Ops in the generality of StableHLO: any axes, any window, any comparison. A file each, as those
// of ops.h; what has no numbers says so where it is evaluated. Shapes are checked against each
// other: Error names op and shapes.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/ops/general_op.h"
#include "engine/ops/ops.h"

namespace tpulab {

using Axes = std::vector<std::int64_t>;

// Batch axes first, then what is left of the left operand, then of the right one. The result has
// `dtype`. Has numbers.
struct DotAxes {
  Axes left_batch{};
  Axes right_batch{};
  Axes left_contracted{};
  Axes right_contracted{};
  bool fp8 = false;  // of what is held as a byte
};
Tensor dot_general(Tensor left, Tensor right, const DotAxes& axes, MatmulPrecision precision,
                   DType dtype);

// A window over the spatial axes of the left operand.
struct ConvolutionAxes {
  int batch = 0;  // axes of the left operand
  int features = 0;
  Axes spatial{};
  int filter_inputs = 0;  // axes of the right one
  int filter_outputs = 0;
  Axes filter_spatial{};
  int out_batch = 0;
  int out_features = 0;
  Axes out_spatial{};
  Axes strides{};         // empty: 1
  Axes before{};          // zeros, may be negative
  Axes left_dilation{};   // empty: 1; more spreads the image with zeros (gradient of a stride)
  Axes right_dilation{};  // empty: 1
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
};
// Operations are counted where the image or the upstream has values, padding included: those of the
// convolution whose gradient it is. Has numbers.
Tensor convolution_general(Tensor left, Tensor right, const ConvolutionAxes& axes,
                           MatmulPrecision precision, const Shape& result, DType dtype);

// Elementwise functions by StableHLO's name: "abs", "power", "and", "shift_left".
// Throws Error for another number of operands. Most have numbers.
bool has_function(std::string_view name);
VectorWork work_of_function(std::string_view name, const Shape& shape);  // of one that there is
Tensor function_of(std::string_view name, std::span<const Tensor> inputs, DType dtype);
// "LT", "GE" ...: pred.
Tensor compare(Tensor left, Tensor right, std::string_view direction);

// Axis i of x becomes axis dimensions[i] of the result. Has numbers.
Tensor broadcast_in_dim(Tensor x, const Axes& dimensions, const Shape& shape);
// 0, 1, 2 .. along an axis. Has numbers.
Tensor iota(Graph& graph, int axis, const Shape& shape, DType dtype);
// Every strides-th element from first (inclusive) to last (exclusive). Has numbers.
Tensor strided_slice(Tensor x, const Axes& first, const Axes& last, const Axes& strides);
// `value` before, behind and between; negative amounts cut. Has numbers.
Tensor pad_with(Tensor x, Tensor value, const Axes& low, const Axes& high, const Axes& interior);
Tensor reverse(Tensor x, const Axes& axes);  // has numbers
// The order of axes is one of memory alone, which a product beside it chooses: nothing moves.
Tensor relabel_axes(Tensor x, const Axes& permutation);

// Folds axes away: "add", "maximum", "minimum", "multiply", "and", "or". Has numbers.
Tensor reduce_with(std::string_view function, Tensor x, const Axes& axes);

struct WindowAxes {
  Axes size{};
  Axes strides{};  // empty: 1
  Axes dilation{};
  Axes low{};  // padding, empty: 0
  Axes high{};
};
// Have numbers, of the functions that reduce_with() has.
Tensor reduce_window(std::string_view function, Tensor x, const WindowAxes& window,
                     const Shape& result);
Tensor select_and_scatter(Tensor x, Tensor source, const WindowAxes& window);

// Which axes of an operand, of indices and of the windows that are read or written belong together,
// in StableHLO's words: offset_dims and slice_sizes of a gather, update_window_dims and
// inserted_window_dims of a scatter.
struct IndexAxes {
  Axes windows{};    // of the result or the updates: those that lie inside a window
  Axes collapsed{};  // of the operand: those that a window does not have
  Axes operand_batching{};
  Axes indices_batching{};
  Axes map{};      // of the operand: those that indices say
  int vector = 0;  // axis of the indices along which these lie
  Axes sizes{};    // of a window; a gather's alone
};
// Rows by index, in any arrangement; `rows` is what is read of the table. No numbers.
Tensor gather_rows(Tensor rows, Tensor indices, const Shape& result);
// The same of the whole table. Has numbers.
Tensor gather_general(Tensor x, Tensor indices, const IndexAxes& axes, const Shape& result);
// `x` with updates combined into it in place: "add", "replace", "maximum", "minimum", "multiply"
// have numbers.
Tensor scatter_into(Tensor x, Tensor indices, Tensor updates, const IndexAxes& axes,
                    std::string_view function);
// A part of x, and x with a part written into it, from whole scalars on, one for each axis. Have
// numbers.
Tensor dynamic_slice(Tensor x, std::span<const Tensor> starts, const Shape& result);
Tensor dynamic_update_slice(Tensor x, Tensor part, std::span<const Tensor> starts);

// Over the link to the host's memory and back. `number` tells what comes from there apart. No
// numbers.
Tensor copy_to_host(Tensor x);
Tensor copy_from_host(Graph& graph, const Type& type, int number);

}  // namespace tpulab
