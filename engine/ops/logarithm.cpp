#include "engine/ops/elementwise.h"
#include "engine/ops/exponential.h"

namespace tpulab {

namespace {

struct Logarithm {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view attributes = "";
  static constexpr VectorWork cost{.shape = {}, .transcendental = 1};
  static float apply(float x) { return tpulab::logarithm(x); }
  static Tensor gradient(Tensor input, Tensor, Tensor upstream) { return divide(upstream, input); }
};

}  // namespace

Tensor logarithm(Tensor x) { return apply_one<Unary<Logarithm>>({x}); }

}  // namespace tpulab
