// The nearest pixel, twice in each direction.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class Upsampled final : public Op {
 public:
  std::string_view name() const override { return "upsample"; }
  OpTraits traits() const override { return {.images = 1 | OpTraits::image_result}; }
  Type infer(std::span<const Type> inputs) const override {
    Shape shape = inputs[0].shape;
    if (shape.rank() != 4) {
      throw Error(fmt::format("upsampled: {} is no batch of images; give [b,h,w,c]",
                              text_of(inputs[0].dtype, shape)));
    }
    shape[1] *= 2;
    shape[2] *= 2;
    return {shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t channels = out.shape[3];
    const std::int64_t row = out.shape[2] * channels;
    if (row == 0) return;
    for_chunks(context, out.elements() / row, chunk_elements / row,
               [&](std::int64_t first, std::int64_t last) {
                 for (std::int64_t y = first; y < last; ++y) {
                   const float* from = inputs[0].data + y / 2 * row / 2;
                   for (std::int64_t x = 0; x < out.shape[2]; ++x) {
                     std::copy_n(from + x / 2 * channels, channels,
                                 out.data + y * row + x * channels);
                   }
                 }
               });
  }
  // The sum over the four.
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    const Tensor four = convert(scalar(*upstream.graph, 4, "4"), upstream.type().dtype);
    return {multiply(average_pool2d(upstream), four)};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0];
  }
};

}  // namespace

Tensor upsampled(Tensor x) {
  static const auto op = std::make_shared<const Upsampled>();
  return x.graph->apply(op, {x});
}

}  // namespace tpulab
