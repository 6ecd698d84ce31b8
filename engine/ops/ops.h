// The catalogue: one line of prose per op. Each op is one file of this folder.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "engine/graph/graph.h"

namespace tpulab {

// How f32 products use the matrix unit: 1, 3 or 6 bf16 passes.
enum class MatmulPrecision : std::uint8_t { default_, high, highest };
// In its order.
inline constexpr std::array<std::string_view, 3> matmul_names{"default", "high", "highest"};
MatmulPrecision matmul_named(std::string_view name);  // of another name: default_
int passes_of(MatmulPrecision precision);
// One, where neither operand is f32: rounding takes nothing off them.
inline int passes_of(MatmulPrecision precision, DType left, DType right) {
  return left != DType::f32 && right != DType::f32 ? 1 : passes_of(precision);
}

struct MatmulOptions {
  bool transpose_left = false;
  bool transpose_right = false;
  MatmulPrecision precision = MatmulPrecision::default_;
  // Runs of the loop that it stands in, each with the same right operand, whose gradient is one
  // product behind the loop [MLPerf's GNMT on TPUs].
  std::int64_t turns = 1;
};

// [m,k] x [k,n] -> [m,n]; an operand may be read transposed. A left of more axes is batch_matmul's.
// bf16 operands, f32 accumulation
// (default), or 3 or 6 passes. The result has the left operand's dtype.
Tensor matmul(Tensor left, Tensor right, MatmulOptions options = {});
// With C = A B: dA = dC B^T and dB = A^T dC; an operand read transposed wants the transpose.
Tensor gradient_to_left(Tensor right, Tensor upstream, const MatmulOptions& options);
Tensor gradient_to_right(Tensor left, Tensor upstream, const MatmulOptions& options);

// [..,m,k] x [..,k,n] -> [..,m,n], one product per leading index (the same on both sides); an
// operand may be read transposed. A right [k,n] is shared: every row of the left [..,k] is one row
// of a single product.
Tensor batch_matmul(Tensor left, Tensor right, MatmulOptions options = {});

// Elementwise. Shapes are equal, or one is a scalar, or the right has the last extents of the left:
// [n] or [t,n] under [b,t,n] (a bias).
Tensor add(Tensor left, Tensor right);
Tensor subtract(Tensor left, Tensor right);
Tensor multiply(Tensor left, Tensor right);
Tensor divide(Tensor left, Tensor right);
Tensor maximum(Tensor left, Tensor right);
Tensor relu(Tensor x);                            // max(x, 0)
Tensor relu_gradient(Tensor x, Tensor upstream);  // upstream where x > 0, else 0
Tensor square_root(Tensor x);
Tensor reciprocal_square_root(Tensor x);
Tensor exponential(Tensor x);
Tensor logarithm(Tensor x);  // of positive numbers
Tensor hyperbolic_tangent(Tensor x);
Tensor sigmoid(Tensor x);  // 1 / (1 + e^-x)
// These and norms are traced by parts in layers whose backward passes find slopes.
Tensor silu(Tensor x);  // x sigmoid(x)
Tensor gelu(Tensor x);  // tanh form: x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
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
// Repeats a scalar to a shape, or an array to one that ends with its extents: [n] to [b,t,n].
Tensor broadcast_to(Tensor x, const Shape& shape);
// x / divisor repeated along a new `axis` to the shape of `like`, whose values are not read: the
// gradient of a sum or a mean.
Tensor repeat_like(Tensor x, Tensor like, int axis, std::int64_t divisor = 1);

// Over any axes, all kept away from the result; negative ones count from the last.
Tensor reduce_sum(Tensor x, const std::vector<int>& axes);
Tensor reduce_mean(Tensor x, const std::vector<int>& axes);
Tensor reduce_max(Tensor x, const std::vector<int>& axes);  // gradient: ties share it equally
Tensor argmax(Tensor x);  // last axis: s32 index of the first of the largest

// Over the last axis.
Tensor softmax(Tensor x);
// (x - mean) / sqrt(variance + epsilon) * scale + bias; scale and bias are [n].
Tensor layer_norm(Tensor x, Tensor scale, Tensor bias, double epsilon = 1e-5);
// x / sqrt(mean of squares + epsilon) * scale
Tensor rms_norm(Tensor x, Tensor scale, double epsilon = 1e-5);

// Normalises each channel (last axis) by this core's own mean and variance over all other axes, as
// in training; variance = mean of squares - mean^2, so that one pass over x is enough.
struct BatchNorm {
  Tensor output;
  Tensor mean;         // f32 [c]
  Tensor mean_square;  // f32 [c]
};
BatchNorm batch_norm(Tensor x, Tensor scale, Tensor bias, double epsilon = 1e-5);

// logits [m,n], integer labels [m] -> per-row loss [m].
Tensor softmax_cross_entropy(Tensor logits, Tensor labels);
// logits [m,n], integer labels [m] -> 1 where the largest logit is the label's, else 0: [m], f32.
Tensor correct_rows(Tensor logits, Tensor labels);

// x [n] or [n,d], integer indices [m] -> [m] or [m,d].
// With `first`, an s32 scalar, x begins at that index, and rows of indices outside of it are zeros.
Tensor gather(Tensor x, Tensor indices, Tensor first = {});
// updates [m] or [m,d] added into zeros [rows] or [rows,d] at integer indices [m].
// With `first` these begin at that index, and updates outside of them are left out.
Tensor scatter_add(Tensor updates, Tensor indices, std::int64_t rows, Tensor first = {});

// x [m,n] -> s32 [m,count]: where the largest of each row are, the largest first.
Tensor largest(Tensor x, std::int64_t count);
// x [m,n], counts [m] -> [m,n]: 1 for what is among the count largest of its row, what equals the
// smallest of them too, else 0.
Tensor among_largest(Tensor x, Tensor counts);
// x [m,n], integer places [m,k] -> [m,k]: of each row what lies there.
Tensor picked(Tensor x, Tensor places);
// x [..,n] times a value for each row [..].
Tensor multiply_rows(Tensor x, Tensor by);
// A mixture of experts: x [m,c] -> [m,copies,c], each row once for each expert that it chose;
// rows [m,k,c], matrices [e,c,n] and chosen experts, integers [m,k] -> [m,k,n]. A right operand may
// be read transposed. Work is counted as if rows were spread evenly over the experts.
Tensor dispatched(Tensor x, std::int64_t copies);
Tensor expert_matmul(Tensor rows, Tensor matrices, Tensor chosen, MatmulOptions options = {});

// table [v,d], integer ids of any shape -> [..,d]; `first` as in gather.
Tensor embedding(Tensor table, Tensor ids, Tensor first = {});

// Random numbers of a step: its seed, device data that each step sends (0: none are drawn, as in
// evaluation), and the operations of the vector unit that one number takes.
struct Draws {
  double seed = 0;
  int operations = 0;
};
// What a layer drops: `stream` tells its numbers from those of others.
struct Dropout {
  double rate = 0;
  Draws random{};
  std::uint64_t stream = 0;
};
// Random numbers of that seed, other ones for each stream: uniform in [0,1), or normal of deviation
// 1. Each core draws the same; evaluation, whose seed is 0, draws those of its own.
enum class Distribution : std::uint8_t { uniform, normal };
Tensor random_numbers(Graph& graph, const Shape& shape, Distribution how, const Draws& random,
                      std::uint64_t stream);
// x / (1 - rate) where a random number says so, else 0; each core draws the same numbers. x where
// nothing is dropped.
Tensor dropout(Tensor x, const Dropout& how);

// Moving data.
Tensor reshape(Tensor x, const Shape& shape);  // same order of elements; no node if x has it
Tensor without_gradient(Tensor x);             // x, of which nothing flows back
// `value`, which is made of x alone: `slope` times what flows into it flows into x. All of a shape.
Tensor with_slope(Tensor value, Tensor x, Tensor slope);
Tensor transpose(Tensor x, const std::vector<int>& permutation);  // axis i is x's permutation[i]
Tensor carried(
    Tensor x);  // what the run before has left: the input of a layer that runs repeatedly
// An LSTM's step (without peepholes): gates [b,4c] before their functions, of input, candidate,
// forgetting and output, and a state [b,2c], the cell's values before what is handed on; the next
// state.
Tensor lstm(Tensor gates, Tensor state);
// A loop over time is a layer that runs repeatedly (Region). Priced, without numbers, like sharded
// programs below: where values are computed it is written out. x [b,n,..] -> [b,..], of which each
// of n runs reads its own; y [b,..] -> [b,n,..], what n runs have left; x itself, which all read.
Tensor of_turn(Tensor x);
Tensor of_all_turns(Tensor y, std::int64_t turns);
Tensor in_each_turn(Tensor x);
// Zeros of x's dtype that a loop begins with. Nothing flows back; with `weights` of the loop, what
// would is made all the same, as a loop that is traced once hands it from run to run.
Tensor empty_state(Tensor like, const Shape& shape, Tensor weights = {});
Tensor slice(Tensor x, int axis, std::int64_t first, std::int64_t count);
Tensor pad(Tensor x, int axis, std::int64_t before, std::int64_t after);  // with zeros
Tensor concatenate(const std::vector<Tensor>& parts, int axis);

// Windows over images [b,h,w,c].
struct Padding {
  enum class Kind : std::uint8_t { valid, same, by };
  Kind kind = Kind::valid;
  std::int64_t amount = 0;  // `by`: rows and columns of zeros on each side

  static Padding valid() { return {Kind::valid, 0}; }
  static Padding same() { return {Kind::same, 0}; }  // XLA's: the odd one goes below and right
  static Padding by(std::int64_t amount) { return {Kind::by, amount}; }
};

struct ConvolutionOptions {
  std::int64_t stride = 1;
  Padding padding = Padding::same();
  std::int64_t groups = 1;  // as many as channels: depthwise, which the vector unit does in f32
  MatmulPrecision precision = MatmulPrecision::default_;
};
// x [b,h,w,c], filter [fh,fw,c/groups,o] -> [b,oh,ow,o].
Tensor conv2d(Tensor x, Tensor filter, ConvolutionOptions options = {});
// x [b,d,h,w,c], filter [fd,fh,fw,c/groups,o] -> [b,od,oh,ow,o].
Tensor conv3d(Tensor x, Tensor filter, ConvolutionOptions options = {});
// x [b,h,w,o], filter [fh,fw,c,o] -> [b,(h-1) stride+fh,..,c]: what a convolution without padding
// reads, from what it makes; of volumes with a depth before both.
Tensor transposed_convolution(Tensor x, Tensor filter, std::int64_t stride,
                              MatmulPrecision precision = MatmulPrecision::default_);

struct PoolOptions {
  std::int64_t window = 2;
  std::int64_t stride = 2;
  Padding padding = Padding::valid();
};
Tensor max_pool2d(Tensor x, PoolOptions options = {});      // gradient: to the first of the largest
Tensor average_pool2d(Tensor x, PoolOptions options = {});  // padding counts as zeros
Tensor global_average_pool(Tensor x);                       // [b,h,w,c] -> [b,c]
Tensor scale_channels(Tensor x, Tensor by);  // x [b,h,w,c], by [b,c]: each image's by its own

// Twice as high and wide, each pixel four times.
Tensor upsampled(Tensor x);
// Normalises each image or volume by mean and variance of groups of neighbouring channels
// [arXiv 1803.08494], in f32; as many groups as channels: instance norm [arXiv 1607.08022]. Scale
// and bias are [c], the result has x's dtype.
Tensor group_norm(Tensor x, std::int64_t groups, Tensor scale, Tensor bias, double epsilon = 1e-5);

// Attention: softmax(q k^T / sqrt(d)) v for q [b,h,t,d], k and v [b,g,s,d]; h is a multiple of g,
// h / g heads share keys and values. `causal`: query i of t sees the keys up to s - t + i.
struct AttentionOptions {
  bool causal = false;
  MatmulPrecision precision = MatmulPrecision::default_;
  bool fused = false;  // one kernel a pass; scores never reach HBM, and nothing is dropped of them
  Dropout dropout{};   // of what softmax gives
  std::int64_t window = 0;    // keys that a causal query sees, the last its own; 0: all before it
  double cap = 0;             // of scores, soft_capped() [Gemma 2]; 0: none
  bool wide_softmax = false;  // scores and their softmax in f32 whatever type q has
};
Tensor attention(Tensor q, Tensor k, Tensor v, AttentionOptions options = {});
// [t,s], to be added to scores: 0 where a query may look, -1e9 elsewhere.
Tensor causal_mask(Graph& graph, std::int64_t queries, std::int64_t keys, DType dtype = DType::f32,
                   std::int64_t window = 0);
// cap tanh(x / cap): as it is near 0, and never beyond +-cap.
Tensor soft_capped(Tensor x, double cap);
Tensor split_heads(Tensor x, std::int64_t heads);  // [b,t,h d] -> [b,h,t,d]
Tensor merge_heads(Tensor x);                      // [b,h,t,d] -> [b,t,h d]
// Rotates the pairs (i, i + d/2) of x [..,t,d] by t / base^(2 i / d) [RoFormer, Llama].
Tensor rotary_embedding(Tensor x, double base = 10000);

// Sum over the cores, divided by their number if `mean`; the result is the same on each core.
// `world` is a static attribute: another number of cores is another program. No node if world is 1.
Tensor all_reduce(Tensor x, int world, bool mean);

// Sharded programs: each device traces its own part and names the devices it exchanges with.
// Priced, without numbers: evaluating one throws Error. No node where `among` is one device. The
// sum over the devices. What follows is the same on all of them, and so is its gradient, which
// passes as it is. `parts`: different arrays that the devices of a slice hold of one value, all of
// which cross the network between slices.
Tensor all_reduce(Tensor x, const DeviceSet& among, int parts = 1);
// x itself, of which each device makes a part of what follows: its gradient is their sum.
Tensor divided_among(Tensor x, const DeviceSet& among, int parts = 1);
// The largest over the devices; nothing flows back.
Tensor all_reduce_max(Tensor x, const DeviceSet& among);
// `x` of all devices one below the other along `axis`; and the device's own part of the sum of all.
// Each is the other's gradient.
Tensor all_gather(Tensor x, int axis, const DeviceSet& among);
Tensor reduce_scatter(Tensor x, int axis, const DeviceSet& among);
// Rows [m,k,..] of chosen experts [m,k], of which each device holds an equal part: to the devices
// of their experts, in the order of devices, rows and choices, and back. The choices themselves
// arrive counted from the device's first expert. As many rows are taken to arrive as were sent.
Tensor sent_to_experts(Tensor rows, Tensor chosen, std::int64_t experts, const DeviceSet& among);
Tensor sent_back(Tensor rows, Tensor chosen, std::int64_t experts, const DeviceSet& among);
// s32 scalar: where this device's share begins, if each of `among` has `share` of them.
Tensor share_begin(Graph& graph, std::int64_t share, const DeviceSet& among);
// softmax_cross_entropy on logits [m,n] of which each device has its columns, in their order; those
// from `classes` on are padding. Every device gets the loss of each row [m], in f32.
Tensor shared_cross_entropy(Tensor logits, Tensor labels, std::int64_t classes,
                            const DeviceSet& among);

// A TPU cannot run these: each call cuts the graph, downloads, runs on the host's CPU and uploads.
Tensor nonzero(Tensor x);                           // aten::nonzero: s32 [count], sizes from values
Tensor bincount(Tensor labels, std::int64_t bins);  // aten::bincount: f32 [bins]
// Statistics of losses [m] that fall back, by name: "aten::median"; none has a size of its values.
std::vector<std::string_view> host_statistics();
std::shared_ptr<const Op> host_statistic(std::string_view op);
Tensor host_statistic(std::string_view op, Tensor values);

}  // namespace tpulab
