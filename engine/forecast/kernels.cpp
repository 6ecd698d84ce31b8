#include "engine/forecast/kernels.h"

#include <algorithm>
#include <iterator>

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

Kernels gemm(std::int64_t m, std::int64_t k, std::int64_t n, DType dtype, std::int64_t batch) {
  return {{{MatrixWork{.batch = batch, .m = m, .k = k, .n = n, .operand = dtype}},
           {{{batch, m, k}, dtype}, {{batch, k, n}, dtype}},
           {{{batch, m, n}, dtype}}}};
}

std::int64_t Convolution::extent_out(std::int64_t extent) const {
  if (padding < 0) return (extent + stride - 1) / stride;
  return std::max<std::int64_t>(1, (extent + 2 * padding - window) / stride + 1);
}

Kernels convolution(const Convolution& shape, DType dtype) {
  const std::int64_t height = shape.rows_out();
  const std::int64_t width = shape.columns_out();
  MatrixWork work{.m = shape.batch * height * width,
                  .k = shape.window * shape.window * shape.inputs,
                  .n = shape.outputs,
                  .operand = dtype};
  work.k_pieces = shape.window;
  return {{{work},
           {{{shape.batch, shape.height, shape.width, shape.inputs}, dtype},
            {{shape.window, shape.window, shape.inputs, shape.outputs}, dtype}},
           {{{shape.batch, height, width, shape.outputs}, dtype}}}};
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

// One query: both products run on the vector unit. Scores fold the width of each key along the
// lanes; weights are spread over the lanes before they meet the values, which costs as much.
Kernels single_query(const Attention& shape, std::int64_t key_value_heads, DType dtype) {
  const Shape rows{shape.heads, shape.sequence, shape.width};
  const Operand keys{{key_value_heads, shape.sequence, shape.width}, dtype};
  const Operand query{{shape.heads, shape.width}, dtype};
  const VectorWork product{.shape = rows, .cheap = 2, .reduced_axis = 2};
  const VectorWork softmax{.shape = {shape.heads, shape.sequence}, .cheap = 6, .transcendental = 1};
  return {{{product, softmax, product}, {query, keys, keys}, {query}}};
}

}  // namespace

Kernels attention(const Attention& shape, DType dtype, RowBlocks blocks) {
  const std::int64_t heads = shape.heads;
  const std::int64_t keys = shape.sequence;
  const std::int64_t width = shape.width;
  const std::int64_t asking = shape.queries > 0 ? shape.queries : keys;
  const std::int64_t key_value_heads = shape.key_value_heads > 0 ? shape.key_value_heads : heads;
  // A kernel that keeps the scores skips the blocks that a mask hides.
  const bool skips = shape.causal && blocks == RowBlocks::in_vmem;
  const std::int64_t queries = skips ? std::max<std::int64_t>(1, asking / 2) : asking;
  if (asking == 1) return single_query(shape, key_value_heads, dtype);
  const MatrixWork score{.batch = heads, .m = queries, .k = width, .n = keys, .operand = dtype};
  const MatrixWork value{.batch = heads, .m = queries, .k = keys, .n = width, .operand = dtype};
  // The sequence lies along the lanes where a head is narrower than they are.
  const auto lying = [&](std::int64_t count, std::int64_t tokens) {
    const bool narrow = width < 128 && tokens >= width;
    return Operand{narrow ? Shape{count, width, tokens} : Shape{count, tokens, width}, dtype};
  };
  const Operand query = lying(heads, asking);
  const Operand key = lying(key_value_heads, keys);
  const Shape square{heads, queries, keys};
  const Operand scores{square, DType::f32};
  const Operand folded{{heads, queries}, DType::f32};
  const VectorWork maximum{.shape = square, .cheap = 2, .reduced_axis = 2};
  const VectorWork sum{.shape = square, .cheap = 2, .transcendental = 1, .reduced_axis = 2};
  const VectorWork scaled{.shape = square, .cheap = 2, .transcendental = 1};
  if (blocks == RowBlocks::in_vmem) {
    return {{{score, maximum, sum, VectorWork{.shape = square, .cheap = 2}, value},
             {query, key, key},
             {query}}};
  }
  return {{{score, maximum}, {query, key}, {scores, folded}},
          {{sum}, {scores, folded}, {folded}},
          {{scaled, value}, {scores, folded, folded, key}, {query}}};
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
