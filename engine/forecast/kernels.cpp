#include "engine/forecast/kernels.h"

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

// Two convolutions and the addition of the block's input; `stride` is the first one's.
void append_basic_block(Kernels& list, const Convolution& first, DType dtype) {
  Convolution second = first;
  second.height = first.height / first.stride;
  second.width = first.width / first.stride;
  second.inputs = first.outputs;
  second.stride = 1;
  const Shape output{first.batch, second.height, second.width, first.outputs};
  for (const Convolution& convolved : {first, second}) {
    list.push_back(weight_copy(convolved, dtype));
    append(list, convolution(convolved, dtype));
  }
  if (first.stride > 1) {
    Convolution shortcut = first;
    shortcut.window = 1;
    list.push_back(weight_copy(shortcut, dtype));
    append(list, convolution(shortcut, dtype));
  }
  list.push_back(pointwise(output, 2, 2, dtype));
}

}  // namespace

Kernels gemm(std::int64_t m, std::int64_t k, std::int64_t n, DType dtype) {
  return {{{MatrixWork{.m = m, .k = k, .n = n, .operand = dtype}},
           {{{m, k}, dtype}, {{k, n}, dtype}},
           {{{m, n}, dtype}}}};
}

Kernels convolution(const Convolution& shape, DType dtype) {
  const std::int64_t height = shape.height / shape.stride;
  const std::int64_t width = shape.width / shape.stride;
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

Kernels attention(const Attention& shape, DType dtype, RowBlocks blocks) {
  const auto& [heads, sequence, width] = shape;
  const MatrixWork score{
      .batch = heads, .m = sequence, .k = width, .n = sequence, .operand = dtype};
  const MatrixWork value{
      .batch = heads, .m = sequence, .k = sequence, .n = width, .operand = dtype};
  // The sequence lies along the lanes where a head is narrower than they are.
  const Operand head{width < 128 ? Shape{heads, width, sequence} : Shape{heads, sequence, width},
                     dtype};
  const Shape square{heads, sequence, sequence};
  const Operand scores{square, DType::f32};
  const Operand folded{{heads, sequence}, DType::f32};
  const VectorWork maximum{.shape = square, .cheap = 2, .reduced_axis = 2};
  const VectorWork sum{.shape = square, .cheap = 2, .transcendental = 1, .reduced_axis = 2};
  const VectorWork scaled{.shape = square, .cheap = 2, .transcendental = 1};
  if (blocks == RowBlocks::in_vmem) {
    return {{{score, maximum, sum, VectorWork{.shape = square, .cheap = 2}, value},
             {head, head, head},
             {head}}};
  }
  return {{{score, maximum}, {head, head}, {scores, folded}},
          {{sum}, {scores, folded}, {folded}},
          {{scaled, value}, {scores, folded, folded, head}, {head}}};
}

Kernels encoder_block(std::int64_t sequence, std::int64_t width, std::int64_t heads, DType dtype,
                      RowBlocks blocks) {
  Kernels list;
  for (int projection = 0; projection < 3; ++projection) {
    list.push_back(dense(sequence, width, width, dtype, false));
  }
  append(list, attention({heads, sequence, width / heads}, dtype, blocks));
  list.push_back(dense(sequence, width, width, dtype, true));
  append(list, layer_norm(sequence, width, dtype, blocks));
  list.push_back(dense(sequence, width, 4 * width, dtype, false));
  list.push_back(dense(sequence, 4 * width, width, dtype, true));
  append(list, layer_norm(sequence, width, dtype, blocks));
  return list;
}

Kernels resnet18_forward(std::int64_t batch, DType dtype) {
  Kernels list;
  const Convolution stem{batch, 224, 224, 3, 64, 7, 2};
  list.push_back(weight_copy(stem, dtype));
  append(list, convolution(stem, dtype));
  // Pooling compares nine neighbours of each pixel.
  KernelWork pool = pointwise({batch, 56, 56, 64}, 9, 0, dtype);
  pool.reads.push_back({{batch, 112, 112, 64}, dtype});
  list.push_back(pool);
  std::int64_t side = 56;
  std::int64_t channels = 64;
  for (const std::int64_t outputs : {64, 128, 256, 512}) {
    const std::int64_t stride = outputs == channels ? 1 : 2;
    append_basic_block(list, {batch, side, side, channels, outputs, 3, stride}, dtype);
    side /= stride;
    append_basic_block(list, {batch, side, side, outputs, outputs, 3, 1}, dtype);
    channels = outputs;
  }
  KernelWork mean = pointwise({batch, side * side, channels}, 1, 1, dtype);
  mean.writes = {{{batch, channels}, dtype}};
  list.push_back(mean);
  list.push_back(dense(batch, channels, 1000, dtype, false));
  return list;
}

}  // namespace tpulab
