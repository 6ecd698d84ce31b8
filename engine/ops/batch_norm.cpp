// Batch norm in training: per channel, over all other axes of this core's batch. Mean and mean of
// squares need no pass between them, as XLA's expander does it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/ops/rows.h"

namespace tpulab {

namespace {

constexpr Part whole = Part::whole;
constexpr Part column = Part::column;

// 1 / sqrt(variance + epsilon); rounding may leave a variance just below zero.
float inverse_root(float mean, float mean_square, float epsilon) {
  const float variance = std::max(mean_square - mean * mean, 0.0f);
  return 1.0f / std::sqrt(variance + epsilon);
}

// d scale = sum of upstream * normalised
struct ScaleGradient {
  float epsilon;

  // [TPU: of ResNet-50's 53 norms 53 kernels forward and 50 backward, three of them for two norms]
  static constexpr int kernels = 2;

  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{whole, whole, column, column};
  static constexpr VectorWork cost{.shape = {}, .cheap = 4};
  std::string attributes() const { return fmt::format("add g x/batch-norm epsilon={}", epsilon); }
  float apply(float upstream, float x, float mean, float mean_square) const {
    return upstream * (x - mean) * inverse_root(mean, mean_square, epsilon);
  }
};

// With r = 1 / sqrt(variance + epsilon), n = (x - mean) r, over `count` rows:
//   dx = scale r (g - (sum(g) + n sum(g n)) / count)
// Three constants per channel leave g a + x b + c for each element.
struct BatchNormGradient {
  float epsilon;
  std::int64_t count;

  static constexpr std::string_view name = "batch-norm-gradient";
  static constexpr std::array parts{whole, whole, column, column, column, column, column};
  static constexpr VectorWork cost{.shape = {}, .cheap = 4};
  std::string attributes() const { return fmt::format("epsilon={} count={}", epsilon, count); }
  float apply(float upstream, float x, float mean, float mean_square, float scale, float sum,
              float product) const {
    const float r = inverse_root(mean, mean_square, epsilon);
    const float normalised = (x - mean) * r;
    return scale * r * (upstream - (sum + normalised * product) / static_cast<float>(count));
  }
};

struct BatchNormScale {
  float epsilon;

  static constexpr std::string_view name = "batch-norm";
  static constexpr std::array parts{whole, column, column, column, column};
  // Two constants per channel leave x a + b for each element.
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};
  std::string attributes() const { return fmt::format("epsilon={}", epsilon); }
  float apply(float x, float mean, float mean_square, float scale, float bias) const {
    return (x - mean) * inverse_root(mean, mean_square, epsilon) * scale + bias;
  }
  // The gradient of the whole norm: the shares of mean and mean square are in it.
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor, Tensor upstream) const {
    const Tensor x = inputs[0];
    const Tensor mean = inputs[1];
    const Tensor mean_square = inputs[2];
    const Tensor scale = inputs[3];
    const Tensor sum = column_sum(Itself{}, {upstream}, mean);
    const Tensor product =
        column_sum(ScaleGradient{epsilon}, {upstream, x, mean, mean_square}, mean);
    const std::int64_t channels = std::max<std::int64_t>(x.shape().at(-1), 1);
    const BatchNormGradient rule{epsilon, x.shape().elements() / channels};
    return {row_map(rule, {upstream, x, mean, mean_square, scale, sum, product}), Tensor{},
            Tensor{}, convert(product, scale.type().dtype), convert(sum, inputs[4].type().dtype)};
  }
};

}  // namespace

BatchNorm batch_norm(Tensor x, Tensor scale, Tensor bias, double epsilon) {
  BatchNorm result;
  result.mean = column_mean(Itself{}, {x});
  result.mean_square = column_mean(SquareOfNorm{}, {x});
  result.output = row_map(BatchNormScale{static_cast<float>(epsilon)},
                          {x, result.mean, result.mean_square, scale, bias});
  return result;
}

}  // namespace tpulab
