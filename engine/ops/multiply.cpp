#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

struct Multiply {
  static constexpr std::string_view name = "multiply";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  static float apply(float left, float right) { return left * right; }
  static bool keeps_sums(Stack left, Stack right) {
    return left == Stack::shared || right == Stack::shared;
  }
  static std::vector<Tensor> gradient(Tensor left, Tensor right, Tensor, Tensor upstream) {
    return {flow_into(left, [&] { return multiply(upstream, right); }),
            flow_into(right, [&] { return multiply(upstream, left); })};
  }
};

struct Divide {
  static constexpr std::string_view name = "divide";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .medium = 1};
  static float apply(float left, float right) { return left / right; }
  static bool keeps_sums(Stack, Stack right) { return right == Stack::shared; }
  // d(l/r)/dr = -(l/r)/r
  static std::vector<Tensor> gradient(Tensor left, Tensor right, Tensor output, Tensor upstream) {
    const auto to_right = [&] {
      const Tensor negative = multiply(upstream, scalar(*upstream.graph, -1));
      return divide(multiply(negative, output), right);
    };
    return {flow_into(left, [&] { return divide(upstream, right); }), flow_into(right, to_right)};
  }
};

}  // namespace

Tensor multiply(Tensor left, Tensor right) { return apply_one<Binary<Multiply>>({left, right}); }
Tensor divide(Tensor left, Tensor right) { return apply_one<Binary<Divide>>({left, right}); }

}  // namespace tpulab
