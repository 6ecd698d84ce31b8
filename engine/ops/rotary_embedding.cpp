#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// A rotation; its gradient is the rotation back.
class Rotary final : public Op {
 public:
  Rotary(double base, bool back) : base_(base), back_(back) {}

  std::string_view name() const override { return "rotary-embedding"; }
  std::string attributes() const override {
    return fmt::format("base={}{}", base_, back_ ? " back" : "");
  }

  Type infer(std::span<const Type> inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() < 2 || shape.at(-1) % 2 != 0) {
      throw Error(fmt::format("rotary_embedding: {} has no pairs to rotate; give [..,t,d], d even",
                              text_of(inputs[0].dtype, shape)));
    }
    return {shape, inputs[0].dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = out.shape.at(-1);
    const std::int64_t steps = out.shape.at(-2);
    const std::int64_t half = width / 2;
    if (half == 0) return;
    for_chunks(context, out.elements() / width, chunk_elements / 8 / width,
               [&](std::int64_t row, std::int64_t end) {
                 for (; row < end; ++row) {
                   const float* x = inputs[0].data + row * width;
                   float* to = out.data + row * width;
                   for (std::int64_t i = 0; i < half; ++i) {
                     const double angle = angle_of(row % steps, i, half);
                     const auto cosine = static_cast<float>(std::cos(angle));
                     const auto sine = static_cast<float>(std::sin(angle));
                     to[i] = x[i] * cosine - x[i + half] * sine;
                     to[i + half] = x[i + half] * cosine + x[i] * sine;
                   }
                 }
               });
  }

  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {upstream.graph->apply(std::make_shared<const Rotary>(base_, !back_), {upstream})};
  }

  // Two products and a sum per element; the tables of sines are made once.
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 3};
  }

  // Positions lie along the last axis but one, which must not be the stacked one.
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    return inputs[0] == Stack::rows && types[0].shape.rank() < 3 ? Stack::none : inputs[0];
  }

 private:
  double angle_of(std::int64_t step, std::int64_t pair, std::int64_t half) const {
    const double exponent = static_cast<double>(pair) / static_cast<double>(half);
    const double angle = static_cast<double>(step) / std::pow(base_, exponent);
    return back_ ? -angle : angle;
  }

  double base_;
  bool back_;
};

}  // namespace

Tensor rotary_embedding(Tensor x, double base) {
  return x.graph->apply(std::make_shared<const Rotary>(base, false), {x});
}

}  // namespace tpulab
