#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

// As XLA's: NaN on either side gives NaN.
struct Maximum {
  static constexpr std::string_view name = "maximum";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  static float apply(float left, float right) {
    return left > right || left != left ? left : right;
  }
  static bool keeps_sums(Stack, Stack) { return false; }
  // A tie counts for the right side, so that the two shares always add up to the upstream.
  static std::vector<Tensor> gradient(Tensor left, Tensor right, Tensor, Tensor upstream) {
    const Tensor zero = scalar(*upstream.graph, 0);
    const Tensor left_wins = greater(left, right);
    return {flow_into(left, [&] { return select(left_wins, upstream, zero); }),
            flow_into(right, [&] { return select(left_wins, zero, upstream); })};
  }
};

struct Relu {
  static constexpr std::string_view name = "maximum";
  static constexpr std::string_view attributes = "with=0";
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  static float apply(float x) { return x > 0 || x != x ? x : 0.0f; }
  static Tensor gradient(Tensor x, Tensor, Tensor upstream) { return relu_gradient(x, upstream); }
};

struct ReluGradient {
  static constexpr std::string_view name = "select";
  static constexpr std::string_view attributes = "where=greater_than_0";
  static constexpr bool compares = true;
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};  // compare and select
  static float apply(float x, float upstream) { return x > 0 ? upstream : 0.0f; }
  static bool keeps_sums(Stack x, Stack) { return x == Stack::shared; }
  static std::vector<Tensor> gradient(Tensor x, Tensor upstream, Tensor, Tensor upper) {
    return {Tensor{}, flow_into(upstream, [&] { return relu_gradient(x, upper); })};
  }
};

}  // namespace

Tensor maximum(Tensor left, Tensor right) { return apply_one<Binary<Maximum>>({left, right}); }
Tensor relu(Tensor x) { return apply_one<Unary<Relu>>({x}); }
Tensor relu_gradient(Tensor x, Tensor upstream) {
  return apply_one<Binary<ReluGradient>>({x, upstream});
}

}  // namespace tpulab
