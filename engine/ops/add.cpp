#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

bool both_partial(Stack left, Stack right) {
  return left == Stack::partial && right == Stack::partial;
}

struct Add {
  static constexpr std::string_view name = "add";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  static float apply(float left, float right) { return left + right; }
  static bool keeps_sums(Stack left, Stack right) { return both_partial(left, right); }
  static std::vector<Tensor> gradient(Tensor left, Tensor right, Tensor, Tensor upstream) {
    return {flow_into(left, [&] { return upstream; }), flow_into(right, [&] { return upstream; })};
  }
};

struct Subtract {
  static constexpr std::string_view name = "subtract";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  static float apply(float left, float right) { return left - right; }
  static bool keeps_sums(Stack left, Stack right) { return both_partial(left, right); }
  static std::vector<Tensor> gradient(Tensor left, Tensor right, Tensor, Tensor upstream) {
    const auto negative = [&] { return multiply(upstream, scalar(*upstream.graph, -1)); };
    return {flow_into(left, [&] { return upstream; }), flow_into(right, negative)};
  }
};

}  // namespace

Tensor add(Tensor left, Tensor right) { return apply_one<Binary<Add>>({left, right}); }
Tensor subtract(Tensor left, Tensor right) { return apply_one<Binary<Subtract>>({left, right}); }

}  // namespace tpulab
