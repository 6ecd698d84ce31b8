// Layer norm: mean, centring, variance and scaling, each one pass as XLA's fusions make them; the
// gradient reads the centred array again instead of keeping a normalised one.
#include <fmt/format.h>

#include <cmath>

#include "engine/ops/by_parts.h"
#include "engine/ops/rows.h"

namespace tpulab {

namespace {

constexpr Part whole = Part::whole;
constexpr Part row = Part::row;
constexpr Part column = Part::column;

float inverse_root(float variance, float epsilon) { return 1.0f / std::sqrt(variance + epsilon); }

// upstream * scale * centred: with the row's mean of it the gradient keeps the variance.
struct ScaledProduct {
  static constexpr int kernels = 2;
  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{whole, column, whole};
  static constexpr VectorWork cost{.shape = {}, .cheap = 3};
  std::string attributes() const { return "add g scale x"; }
  float apply(float upstream, float scale, float x) const { return upstream * scale * x; }
};

struct ScaledUpstream {
  static constexpr int kernels = 2;
  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{whole, column};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};
  std::string attributes() const { return "add g scale"; }
  float apply(float upstream, float scale) const { return upstream * scale; }
};

// d scale = sum of upstream * normalised
struct ScaleGradient {
  float epsilon;

  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{whole, whole, row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 3};
  std::string attributes() const { return fmt::format("add g x/norm epsilon={}", epsilon); }
  float apply(float upstream, float x, float variance) const {
    return upstream * x * inverse_root(variance, epsilon);
  }
};

// With r = 1 / sqrt(variance + epsilon), n = centred r, and means over the row:
//   dx = r (g scale - mean(g scale) - n mean(g scale n))
struct LayerNormGradient {
  float epsilon;

  static constexpr std::string_view name = "layer-norm-gradient";
  static constexpr std::array parts{whole, column, whole, row, row, row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 5};
  std::string attributes() const { return fmt::format("epsilon={}", epsilon); }
  float apply(float upstream, float scale, float centred, float variance, float mean,
              float product) const {
    const float r = inverse_root(variance, epsilon);
    return r * (upstream * scale - mean - centred * (r * r * product));
  }
};

struct Centre {
  static constexpr std::string_view name = "subtract";
  static constexpr std::array parts{whole, row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  std::string attributes() const { return "row"; }
  float apply(float x, float mean) const { return x - mean; }
  // The scaling node hands over the gradient of the whole norm, the mean's share included.
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const {
    return {upstream, Tensor{}};
  }
};

struct LayerNormScale {
  float epsilon;

  static constexpr std::string_view name = "layer-norm";
  static constexpr std::array parts{whole, row, column, column};
  static constexpr VectorWork cost{.shape = {}, .cheap = 3};
  std::string attributes() const { return fmt::format("epsilon={}", epsilon); }
  float apply(float centred, float variance, float scale, float bias) const {
    return centred * inverse_root(variance, epsilon) * scale + bias;
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor, Tensor upstream) const {
    const Tensor centred = inputs[0];
    const Tensor variance = inputs[1];
    const Tensor scale = inputs[2];
    const Tensor mean = row_mean(ScaledUpstream{}, {upstream, scale});
    const Tensor product = row_mean(ScaledProduct{}, {upstream, scale, centred});
    return {
        row_map(LayerNormGradient{epsilon}, {upstream, scale, centred, variance, mean, product}),
        Tensor{}, column_sum(ScaleGradient{epsilon}, {upstream, centred, variance}, scale),
        column_sum(Itself{}, {upstream}, inputs[3])};
  }
};

// With r = 1 / sqrt(mean square + epsilon): dx = r (g scale - x r^2 mean(g scale x))
struct RmsNormGradient {
  float epsilon;

  static constexpr std::string_view name = "rms-norm-gradient";
  static constexpr std::array parts{whole, column, whole, row, row};
  static constexpr VectorWork cost{.shape = {}, .cheap = 4};
  std::string attributes() const { return fmt::format("epsilon={}", epsilon); }
  float apply(float upstream, float scale, float x, float mean_square, float product) const {
    const float r = inverse_root(mean_square, epsilon);
    return r * (upstream * scale - x * (r * r * product));
  }
};

struct RmsNormScale {
  float epsilon;

  static constexpr std::string_view name = "rms-norm";
  static constexpr std::array parts{whole, row, column};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};
  std::string attributes() const { return fmt::format("epsilon={}", epsilon); }
  float apply(float x, float mean_square, float scale) const {
    return x * inverse_root(mean_square, epsilon) * scale;
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor, Tensor upstream) const {
    const Tensor x = inputs[0];
    const Tensor mean_square = inputs[1];
    const Tensor scale = inputs[2];
    const Tensor product = row_mean(ScaledProduct{}, {upstream, scale, x});
    return {row_map(RmsNormGradient{epsilon}, {upstream, scale, x, mean_square, product}), Tensor{},
            column_sum(ScaleGradient{epsilon}, {upstream, x, mean_square}, scale)};
  }
};

}  // namespace

Tensor layer_norm(Tensor x, Tensor scale, Tensor bias, double epsilon) {
  if (traced_by_parts(x)) return layer_norm_by_parts(x, scale, bias, epsilon);
  const Tensor mean = row_mean(ItselfOfNorm{}, {x});
  const Tensor centred = row_map(Centre{}, {x, mean});
  const Tensor variance = row_mean(SquareOfNorm{}, {centred});
  return row_map(LayerNormScale{static_cast<float>(epsilon)}, {centred, variance, scale, bias});
}

Tensor rms_norm(Tensor x, Tensor scale, double epsilon) {
  if (traced_by_parts(x)) return rms_norm_by_parts(x, scale, epsilon);
  const Tensor mean_square = row_mean(SquareOfNorm{}, {x});
  return row_map(RmsNormScale{static_cast<float>(epsilon)}, {x, mean_square, scale});
}

}  // namespace tpulab
