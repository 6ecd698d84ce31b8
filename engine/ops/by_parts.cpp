// [JAX 0.10: residuals of lax.scan over silu, gelu and norms, read off their jaxprs]
#include "engine/ops/by_parts.h"

#include <algorithm>

#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

// It is one of its inputs: programs are rid of it.
class WithSlope final : public Op {
 public:
  std::string_view name() const override { return "bitcast"; }
  std::string attributes() const override { return "with slope"; }
  OpTraits traits() const override { return {.bitcast = true, .is_first_input = true}; }
  Type infer(std::span<const Type> inputs) const override {
    for (const Type& input : inputs) {
      expects(input.shape == inputs[0].shape, "a slope has the shape of what it is the slope of");
    }
    return inputs[0];
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::copy(inputs[0].values(), out.data);
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return {Tensor{}, multiply(upstream, inputs[2]), Tensor{}};
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0];
  }
};

Tensor times(Tensor x, double factor) {
  return multiply(x, constant(*x.graph, factor, Shape{}, x.type().dtype));
}
Tensor plus(Tensor x, double more) {
  return add(x, constant(*x.graph, more, Shape{}, x.type().dtype));
}

// x / sqrt(mean of squares + epsilon), rounded to `dtype`, times the scale of each column.
Tensor scaled(Tensor x, Tensor scale, double epsilon, DType dtype) {
  const Tensor square = with_slope(multiply(x, x), x, times(x, 2));
  const Tensor mean_square = reduce_mean(square, {-1});
  const Tensor normal = multiply_rows(x, reciprocal_square_root(plus(mean_square, epsilon)));
  return multiply(convert(normal, dtype), convert(scale, dtype));
}

}  // namespace

Tensor with_slope(Tensor value, Tensor x, Tensor slope) {
  return apply_one<WithSlope>({value, x, slope});
}

Tensor silu_by_parts(Tensor x) {
  const Tensor s = sigmoid(x);
  const Tensor slope = multiply(s, subtract(constant(*x.graph, 1, Shape{}, x.type().dtype), s));
  return multiply(x, with_slope(s, x, slope));
}

// As in activations.cpp, whose derivative of tanh is (1 + t)(1 - t).
Tensor gelu_by_parts(Tensor x) {
  const Tensor square = multiply(x, x);
  const Tensor cube = with_slope(multiply(square, x), x, times(square, 3));
  const Tensor u = times(add(x, times(cube, gelu_cubic_share)), gelu_linear);
  const Tensor t = hyperbolic_tangent(u);
  const Tensor one = constant(*x.graph, 1, Shape{}, x.type().dtype);
  const Tensor more = with_slope(u, u, add(t, one));
  const Tensor both = with_slope(t, more, subtract(one, t));
  return multiply(x, times(plus(both, 1), 0.5));
}

Tensor rms_norm_by_parts(Tensor x, Tensor scale, double epsilon) {
  return scaled(convert(x, DType::f32), scale, epsilon, x.type().dtype);
}

Tensor layer_norm_by_parts(Tensor x, Tensor scale, Tensor bias, double epsilon) {
  const DType dtype = x.type().dtype;
  const Tensor wide = convert(x, DType::f32);
  const Tensor mean = repeat_like(reduce_mean(wide, {-1}), wide, wide.shape().rank() - 1);
  return add(scaled(subtract(wide, mean), scale, epsilon, dtype), convert(bias, dtype));
}

}  // namespace tpulab
