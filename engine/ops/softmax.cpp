// Softmax over rows in three passes, as XLA's fusions make them: the largest value, the sum of the
// powers, and the powers once more, scaled; e^x is cheaper than keeping it in HBM.
#include "engine/ops/exponential.h"
#include "engine/ops/rows.h"

namespace tpulab {

namespace {

constexpr Part whole = Part::whole;
constexpr Part row = Part::row;

struct ShiftedPower {
  static constexpr int kernels = 2;
  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{whole, row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2, .transcendental = 1};
  std::string attributes() const { return "add e^(x-largest)"; }
  float apply(float x, float largest) const { return exponential(x - largest); }
};

struct Product {
  static constexpr int kernels = 2;
  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{whole, whole};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};
  std::string attributes() const { return "add x y"; }
  float apply(float x, float y) const { return x * y; }
};

// dx = y (g - sum(g y))
struct SoftmaxGradient {
  static constexpr std::string_view name = "softmax-gradient";
  static constexpr std::array parts{whole, whole, row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};
  std::string attributes() const { return {}; }
  float apply(float upstream, float y, float product) const { return y * (upstream - product); }
};

// The gradient of the whole softmax flows into x; the sums are part of it.
struct Softmax {
  static constexpr std::string_view name = "softmax";
  static constexpr std::array parts{whole, row, row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2, .transcendental = 1};
  std::string attributes() const { return {}; }
  float apply(float x, float largest, float sum) const { return exponential(x - largest) / sum; }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor y, Tensor upstream) const {
    const Tensor product = row_sum(Product{}, {upstream, y});
    return {row_map(SoftmaxGradient{}, {upstream, y, product}), Tensor{}, Tensor{}};
  }
};

}  // namespace

Tensor softmax(Tensor x) {
  const Tensor largest = reduce_max(x, {-1});
  return row_map(Softmax{}, {x, largest, row_sum(ShiftedPower{}, {x, largest})});
}

}  // namespace tpulab
