#include <cmath>

#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

struct SquareRoot {
  static constexpr std::string_view name = "sqrt";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .medium = 1};
  static float apply(float x) { return std::sqrt(x); }
  // d sqrt(x)/dx = 1 / (2 sqrt(x))
  static Tensor gradient(Tensor, Tensor output, Tensor upstream) {
    return divide(upstream, add(output, output));
  }
};

}  // namespace

Tensor square_root(Tensor x) { return apply_one<Unary<SquareRoot>>({x}); }

}  // namespace tpulab
