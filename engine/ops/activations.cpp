// Smooth elementwise functions and what their gradients need.
#include <cmath>

#include "engine/ops/by_parts.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/hyperbolic_tangent.h"

namespace tpulab {

namespace {

// upstream * f'(x): one kernel, as XLA fuses it. Rule: cost, derivative(x), text.
template <class Rule>
struct Derivative {
  static constexpr std::string_view name = Rule::gradient_name;
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost = Rule::gradient_cost;
  static float apply(float x, float upstream) { return upstream * Rule::derivative(x); }
  static bool keeps_sums(Stack x, Stack) { return x == Stack::shared; }
  static std::vector<Tensor> gradient(Tensor, Tensor, Tensor, Tensor) {
    throw Error(std::string(name) + " has no gradient; take first derivatives only");
  }
};

template <class Rule>
Tensor derivative_of(Tensor x, Tensor upstream) {
  return apply_one<Binary<Derivative<Rule>>>({x, upstream});
}

struct Exponential {
  static constexpr std::string_view name = "exponential";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .transcendental = 1};
  static float apply(float x) { return exponential(x); }
  static Tensor gradient(Tensor, Tensor output, Tensor upstream) {
    return multiply(upstream, output);
  }
};

// Of the result y: d tanh(x)/dx = 1 - y^2.
struct Tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .transcendental = 1};
  static float apply(float x) { return tanh_of(x); }
  static constexpr std::string_view gradient_name = "tanh-gradient";
  static constexpr VectorWork gradient_cost{.shape = {}, .cheap = 3};
  static float derivative(float y) { return 1.0f - y * y; }
  static Tensor gradient(Tensor, Tensor output, Tensor upstream) {
    return derivative_of<Tanh>(output, upstream);
  }
};

// Of the result y: d sigmoid(x)/dx = y (1 - y).
struct Sigmoid {
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .cheap = 1, .medium = 1, .transcendental = 1};
  static float apply(float x) { return logistic(x); }
  static constexpr std::string_view gradient_name = "logistic-gradient";
  static constexpr VectorWork gradient_cost{.shape = {}, .cheap = 3};
  static float derivative(float y) { return y * (1.0f - y); }
  static Tensor gradient(Tensor, Tensor output, Tensor upstream) {
    return derivative_of<Sigmoid>(output, upstream);
  }
};

// With s = sigmoid(x): d (x s)/dx = s (1 + x (1 - s)).
struct Silu {
  static constexpr std::string_view name = "silu";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .cheap = 2, .medium = 1, .transcendental = 1};
  static float apply(float x) { return x * logistic(x); }
  static constexpr std::string_view gradient_name = "silu-gradient";
  static constexpr VectorWork gradient_cost{
      .shape = {}, .cheap = 6, .medium = 1, .transcendental = 1};
  static float derivative(float x) {
    const float s = logistic(x);
    return s * (1.0f + x * (1.0f - s));
  }
  static Tensor gradient(Tensor x, Tensor, Tensor upstream) {
    return derivative_of<Silu>(x, upstream);
  }
};

struct Gelu {
  static constexpr std::string_view name = "gelu";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .cheap = 7, .transcendental = 1};
  static float apply(float x) {
    const float u = x * (gelu_linear + gelu_cubic * (x * x));
    return 0.5f * x * (1.0f + tanh_of(u));
  }
  static constexpr std::string_view gradient_name = "gelu-gradient";
  static constexpr VectorWork gradient_cost{.shape = {}, .cheap = 15, .transcendental = 1};
  // (1 + t) / 2 + x / 2 (1 - t^2) (a + 3 b x^2)
  static float derivative(float x) {
    const float square = x * x;
    const float t = tanh_of(x * (gelu_linear + gelu_cubic * square));
    const float slope = gelu_linear + 3.0f * gelu_cubic * square;
    return 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * slope;
  }
  static Tensor gradient(Tensor x, Tensor, Tensor upstream) {
    return derivative_of<Gelu>(x, upstream);
  }
};

// Of the result y: d x^(-1/2)/dx = -y^3 / 2.
struct ReciprocalSquareRoot {
  static constexpr std::string_view name = "rsqrt";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .medium = 1};
  static float apply(float x) { return 1.0f / std::sqrt(x); }
  static constexpr std::string_view gradient_name = "rsqrt-gradient";
  static constexpr VectorWork gradient_cost{.shape = {}, .cheap = 4};
  static float derivative(float y) { return -0.5f * y * y * y; }
  static Tensor gradient(Tensor, Tensor output, Tensor upstream) {
    return derivative_of<ReciprocalSquareRoot>(output, upstream);
  }
};

}  // namespace

Tensor exponential(Tensor x) { return apply_one<Unary<Exponential>>({x}); }
Tensor hyperbolic_tangent(Tensor x) { return apply_one<Unary<Tanh>>({x}); }
Tensor sigmoid(Tensor x) { return apply_one<Unary<Sigmoid>>({x}); }
Tensor silu(Tensor x) {
  return traced_by_parts(x) ? silu_by_parts(x) : apply_one<Unary<Silu>>({x});
}
Tensor gelu(Tensor x) {
  return traced_by_parts(x) ? gelu_by_parts(x) : apply_one<Unary<Gelu>>({x});
}
Tensor reciprocal_square_root(Tensor x) { return apply_one<Unary<ReciprocalSquareRoot>>({x}); }

}  // namespace tpulab
