#include "engine/forecast/kernels.h"

#include <algorithm>
#include <iterator>

#include "engine/base/work.h"
#include "engine/machine/matrix_unit.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

void append(Kernels& list, Kernels more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

// y = x w + b, with a relu or a residual in the same kernel.
KernelWork dense(std::int64_t rows, std::int64_t inputs, std::int64_t outputs, DType dtype,
                 bool residual) {
  KernelWork kernel = gemm(rows, inputs, outputs, dtype).front();
  kernel.items.emplace_back(VectorWork{.shape = {rows, outputs}, .cheap = 2});
  kernel.reads.push_back({{outputs}, dtype});
  if (residual) kernel.reads.push_back({{rows, outputs}, dtype});
  return kernel;
}

KernelWork pointwise(const Shape& shape, int cheap, int reads, DType dtype) {
  KernelWork kernel{{VectorWork{.shape = shape, .cheap = cheap}}, {}, {{shape, dtype}}};
  kernel.reads.assign(static_cast<std::size_t>(reads), {shape, dtype});
  return kernel;
}

// PyTorch's weights lie channels first; the array wants them channels last, so that each call
// copies them.
KernelWork weight_copy(const Convolution& shape, DType dtype) {
  return pointwise({shape.window, shape.window, shape.inputs, shape.outputs}, 1, 1, dtype);
}

void append_convolved(Kernels& list, const Convolution& shape, DType dtype) {
  list.push_back(weight_copy(shape, dtype));
  append(list, convolution(shape, dtype));
}

// Convolutions and the addition of the block's input; `stride` is that of the 3x3 one that halves
// the image.
void append_block(Kernels& list, const Convolution& first, std::int64_t width, bool bottleneck,
                  DType dtype) {
  const auto& [batch, height, columns, inputs, outputs, window, stride, padding] = first;
  const std::int64_t rows_out = height / stride;
  const std::int64_t columns_out = columns / stride;
  if (bottleneck) {
    append_convolved(list, {batch, height, columns, inputs, width, 1, 1}, dtype);
    append_convolved(list, {batch, height, columns, width, width, 3, stride}, dtype);
    append_convolved(list, {batch, rows_out, columns_out, width, outputs, 1, 1}, dtype);
  } else {
    append_convolved(list, {batch, height, columns, inputs, outputs, 3, stride}, dtype);
    append_convolved(list, {batch, rows_out, columns_out, outputs, outputs, 3, 1}, dtype);
  }
  if (inputs != outputs || stride > 1) {
    append_convolved(list, {batch, height, columns, inputs, outputs, 1, stride}, dtype);
  }
  list.push_back(pointwise({batch, rows_out, columns_out, outputs}, 2, 2, dtype));
}

Kernels resnet_forward(std::int64_t batch, const std::vector<std::int64_t>& blocks, bool bottleneck,
                       DType dtype) {
  Kernels list;
  append_convolved(list, {batch, 224, 224, 3, 64, 7, 2}, dtype);
  // Pooling compares nine neighbours of each pixel.
  KernelWork pool = pointwise({batch, 56, 56, 64}, 9, 0, dtype);
  pool.reads.push_back({{batch, 112, 112, 64}, dtype});
  list.push_back(pool);
  std::int64_t side = 56;
  std::int64_t channels = 64;
  std::int64_t width = 64;
  for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
    for (std::int64_t block = 0; block < blocks[stage]; ++block) {
      const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      const std::int64_t outputs = bottleneck ? 4 * width : width;
      append_block(list, {batch, side, side, channels, outputs, 3, stride}, width, bottleneck,
                   dtype);
      side /= stride;
      channels = outputs;
    }
    width *= 2;
  }
  KernelWork mean = pointwise({batch, side * side, channels}, 1, 1, dtype);
  mean.writes = {{{batch, channels}, dtype}};
  list.push_back(mean);
  list.push_back(dense(batch, channels, 1000, dtype, false));
  return list;
}

}  // namespace

namespace {

// A matrix lies with the side along the lanes that pads less.
Operand lying_well(const Shape& shape, DType dtype) {
  Shape turned = shape;
  std::swap(turned[shape.rank() - 1], turned[shape.rank() - 2]);
  const bool turn = padded_bytes(turned, dtype) < padded_bytes(shape, dtype);
  return {turn ? turned : shape, dtype};
}

}  // namespace

Kernels gemm(std::int64_t m, std::int64_t k, std::int64_t n, DType dtype, std::int64_t batch) {
  return {{{MatrixWork{.batch = batch, .m = m, .k = k, .n = n, .operand = dtype}},
           {lying_well({batch, m, k}, dtype), lying_well({batch, k, n}, dtype)},
           {lying_well({batch, m, n}, dtype)}}};
}

std::int64_t Convolution::extent_out(std::int64_t extent) const {
  if (padding < 0) return (extent + stride - 1) / stride;
  return std::max<std::int64_t>(1, (extent + 2 * padding - window) / stride + 1);
}

namespace {

KernelWork convolved(const Convolution& shape, DType dtype) {
  const std::int64_t height = shape.rows_out();
  const std::int64_t width = shape.columns_out();
  MatrixWork work{.m = shape.batch * height * width,
                  .k = shape.window * shape.window * shape.inputs,
                  .n = shape.outputs,
                  .operand = dtype};
  work.k_pieces = shape.window;
  const Operand image{{shape.batch, shape.height, shape.width, shape.inputs}, dtype};
  return {{work},
          {image, {{shape.window, shape.window, shape.inputs, shape.outputs}, dtype}},
          {{{shape.batch, height, width, shape.outputs}, dtype}}};
}

constexpr int batch_axis = 0;
constexpr int channel_axis = 3;

// With these axes in a tile, the others above them.
Shape tiled(const Shape& image, int rows, int lanes) {
  std::vector<std::int64_t> laid;
  for (int axis = 0; axis < image.rank(); ++axis) {
    if (axis != rows && axis != lanes) laid.push_back(image[axis]);
  }
  laid.insert(laid.end(), {image[rows], image[lanes]});
  return Shape(std::span<const std::int64_t>(laid));
}

// A convolution wants its images in a tile with their channels.
Shape laid_for_windows(const Shape& image, DType dtype) {
  const Shape below = tiled(image, batch_axis, channel_axis);
  const Shape beside = tiled(image, channel_axis, batch_axis);
  return padded_bytes(beside, dtype) < padded_bytes(below, dtype) ? beside : below;
}

// By itself an array lies where it pads least, row by row where that pads as little: then it is
// copied for the window, and back behind it [TPU compiler, v3: 56 and 32 columns of 1 to 128 images
// are, of 64 and of 128 channels, windows of 1 to 7; 28 and 14 columns are not].
bool is_copied(const Shape& image, DType dtype) {
  const Bytes wanted = padded_bytes(laid_for_windows(image, dtype), dtype);
  const auto among = [](int axis) { return axis == batch_axis || axis == channel_axis; };
  for (int rows = 0; rows < image.rank(); ++rows) {
    for (int lanes = 0; lanes < image.rank(); ++lanes) {
      if (rows == lanes || (among(rows) && among(lanes))) continue;
      const Bytes other = padded_bytes(tiled(image, rows, lanes), dtype);
      const bool row_by_row = rows == 2 && lanes == channel_axis;
      if (other < wanted || (row_by_row && other == wanted)) return true;
    }
  }
  return false;
}

// Each of the 8 rows of a block is loaded, turned, selected and stored: 30 clocks of a block of
// 1,024 values, as C-K3 is copied twice.
VectorWork copying(const Shape& laid) { return {.shape = laid, .cheap = 60}; }

}  // namespace

// What is read is copied in the kernel of the product, what is written by one behind it.
Kernels convolution(const Convolution& shape, DType dtype) {
  KernelWork kernel = convolved(shape, dtype);
  const Shape image = kernel.reads.front().shape;
  const Shape result = kernel.writes.front().shape;
  // Fewer channels than fill the lanes may be streamed past the pixels.
  std::get<MatrixWork>(kernel.items.front()).batch_in_lanes =
      shape.window > 1 && shape.inputs + sublane_count <= lane_count;
  if (is_copied(image, dtype)) kernel.items.emplace_back(copying(laid_for_windows(image, dtype)));
  Kernels list{std::move(kernel)};
  if (is_copied(result, dtype)) {
    const Shape laid = laid_for_windows(result, dtype);
    list.push_back({{copying(laid)}, {{laid, dtype}}, {{result, dtype}}});
  }
  return list;
}

Kernels softmax(std::int64_t rows, std::int64_t width, DType dtype, RowBlocks blocks) {
  const Shape shape{rows, width};
  const Operand array{shape, dtype};
  const Operand folded{{rows}, DType::f32};
  const VectorWork maximum{.shape = shape, .cheap = 1, .reduced_axis = 1};
  const VectorWork sum{.shape = shape, .cheap = 2, .transcendental = 1, .reduced_axis = 1};
  const VectorWork scaled{.shape = shape, .cheap = 2, .transcendental = 1};
  if (blocks == RowBlocks::in_vmem) return {{{maximum, sum, scaled}, {array}, {array}}};
  return {{{maximum}, {array}, {folded}},
          {{sum}, {array, folded}, {folded}},
          {{scaled}, {array, folded, folded}, {array}}};
}

Kernels layer_norm(std::int64_t rows, std::int64_t width, DType dtype, RowBlocks blocks) {
  const Shape shape{rows, width};
  const Operand array{shape, dtype};
  const Operand folded{{rows}, DType::f32};
  const Operand weights{{width}, dtype};
  const VectorWork mean{.shape = shape, .cheap = 1, .reduced_axis = 1};
  const VectorWork centred{.shape = shape, .cheap = 1};
  const VectorWork variance{.shape = shape, .cheap = 2, .reduced_axis = 1};
  const VectorWork scaled{.shape = shape, .cheap = 3};
  if (blocks == RowBlocks::in_vmem) {
    return {{{mean, centred, variance, scaled}, {array, weights, weights}, {array}}};
  }
  return {{{mean}, {array}, {folded}},
          {{centred}, {array, folded}, {array}},
          {{variance}, {array}, {folded}},
          {{scaled}, {array, folded, weights, weights}, {array}}};
}

namespace {

// Sizes with nothing left to be filled in.
struct Heads {
  std::int64_t count = 1;   // times the batch
  std::int64_t shared = 1;  // key and value heads
  std::int64_t queries = 1;
  std::int64_t keys = 1;
  std::int64_t width = 1;
};

MatrixWork score_product(const Heads& heads, DType dtype) {
  return {.batch = heads.count,
          .m = heads.queries,
          .k = heads.width,
          .n = heads.keys,
          .operand = dtype};
}

MatrixWork value_product(const Heads& heads, DType dtype) {
  return {.batch = heads.count,
          .m = heads.queries,
          .k = heads.keys,
          .n = heads.width,
          .operand = dtype};
}

// One query: the kernel streams keys and values once. Where each head has its own, the vector unit
// multiplies: it folds the width of each key along the lanes, and spreads each weight over the
// lanes before it meets a value, which costs as much. A group of heads is a product of as many
// rows.
Kernels single_query(const Heads& heads, DType dtype) {
  const std::int64_t group = heads.count / heads.shared;
  const Operand keys{{heads.shared, heads.keys, heads.width}, dtype};
  const Operand query{{heads.count, heads.width}, dtype};
  const VectorWork softmax{.shape = {heads.count, heads.keys}, .cheap = 6, .transcendental = 1};
  if (group > 1) {
    const Heads grouped{heads.shared, heads.shared, group, heads.keys, heads.width};
    return {{{score_product(grouped, dtype), softmax, value_product(grouped, dtype)},
             {query, keys, keys},
             {query}}};
  }
  const VectorWork product{
      .shape = {heads.count, heads.keys, heads.width}, .cheap = 2, .reduced_axis = 2};
  return {{{product, product, softmax, product, product}, {query, keys, keys}, {query}}};
}

constexpr std::int64_t flash_block = 512;  // queries and keys of a step, at most

// A kernel of its own, one head and one block of queries after the other: a step for each block of
// keys, and one to store. Each block of queries reads all keys again.
Kernels flash(const Heads& heads, bool causal, DType dtype) {
  const auto blocks = [](std::int64_t tokens) { return (tokens + flash_block - 1) / flash_block; };
  const std::int64_t query_blocks = heads.count * blocks(heads.queries);
  // A mask hides about half of the blocks, which are skipped.
  const std::int64_t key_blocks = blocks(heads.keys);
  const std::int64_t met = causal ? (key_blocks + 1) / 2 : key_blocks;
  Heads asked = heads;
  if (causal) asked.queries = std::max<std::int64_t>(1, heads.queries / 2);
  const Shape square{heads.count, asked.queries, heads.keys};
  const Operand query{{heads.count, heads.queries, heads.width}, dtype};
  const Operand keys{{query_blocks, met * heads.keys / key_blocks, heads.width}, dtype};
  // Maximum, exponential, sum, scale. Lanes are folded beside the arithmetic of other rows.
  const VectorWork softmax{.shape = square, .cheap = 6, .transcendental = 1};
  return {{{score_product(asked, dtype), softmax, value_product(asked, dtype)},
           {query, keys, keys},
           {query}}};
}

// XLA's own: all heads in one product, and the scores an array that passes between kernels, on the
// chip where it has room.
Kernels batched(const Heads& heads, DType dtype) {
  // The sequence lies along the lanes where a head is narrower than they are.
  const auto lying = [&](std::int64_t count, std::int64_t tokens) {
    const bool narrow = heads.width < 128 && tokens >= heads.width;
    return Operand{narrow ? Shape{count, heads.width, tokens} : Shape{count, tokens, heads.width},
                   dtype};
  };
  const Operand query = lying(heads.count, heads.queries);
  const Operand key = lying(heads.shared, heads.keys);
  const Shape square{heads.count, heads.queries, heads.keys};
  const Operand folded{{heads.count, heads.queries}, DType::f32};
  Operand scores{square, DType::f32, {}};
  scores.held = padded_bytes(square, DType::f32) + folded.bytes() * 2;
  const VectorWork maximum{.shape = square, .cheap = 2, .reduced_axis = 2};
  const VectorWork sum{.shape = square, .cheap = 2, .transcendental = 1, .reduced_axis = 2};
  const VectorWork scaled{.shape = square, .cheap = 2, .transcendental = 1};
  return {{{score_product(heads, dtype), maximum}, {query, key}, {scores, folded}},
          {{sum}, {scores, folded}, {folded}},
          {{scaled, value_product(heads, dtype)}, {scores, folded, folded, key}, {query}}};
}

}  // namespace

Kernels attention(const Attention& shape, DType dtype, RowBlocks blocks) {
  const Heads heads{.count = shape.heads,
                    .shared = shape.key_value_heads > 0 ? shape.key_value_heads : shape.heads,
                    .queries = shape.queries > 0 ? shape.queries : shape.sequence,
                    .keys = shape.sequence,
                    .width = shape.width};
  if (heads.queries == 1) return single_query(heads, dtype);
  const Tracing fused{.fused_attention = blocks == RowBlocks::in_vmem ? lane_count : 0};
  if (fused.fuses(heads.queries, heads.keys)) return flash(heads, shape.causal, dtype);
  return batched(heads, dtype);
}

Kernels encoder_block(const EncoderBlock& shape, DType dtype, RowBlocks blocks) {
  const auto& [batch, sequence, width, heads, own_hidden] = shape;
  const std::int64_t rows = batch * sequence;
  const std::int64_t hidden = own_hidden > 0 ? own_hidden : 4 * width;
  Kernels list;
  for (int projection = 0; projection < 3; ++projection) {
    list.push_back(dense(rows, width, width, dtype, false));
  }
  append(list, attention({.heads = batch * heads, .sequence = sequence, .width = width / heads},
                         dtype, blocks));
  list.push_back(dense(rows, width, width, dtype, true));
  append(list, layer_norm(rows, width, dtype, blocks));
  list.push_back(dense(rows, width, hidden, dtype, false));
  list.push_back(dense(rows, hidden, width, dtype, true));
  append(list, layer_norm(rows, width, dtype, blocks));
  return list;
}

Kernels resnet18_forward(std::int64_t batch, DType dtype) {
  return resnet_forward(batch, {2, 2, 2, 2}, false, dtype);
}

Kernels resnet50_forward(std::int64_t batch, DType dtype) {
  return resnet_forward(batch, {3, 4, 6, 3}, true, dtype);
}

}  // namespace tpulab
