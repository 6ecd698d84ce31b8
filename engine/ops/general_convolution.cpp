// Convolutions over any axes, windows spread or not: what gradients of convolutions are written as.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/ops/general_ops.h"

namespace tpulab {

namespace {

std::int64_t extent_at(const Shape& shape, std::int64_t axis) {
  return shape[static_cast<int>(axis)];
}

bool spreads(const Axes& dilation) {
  return std::ranges::any_of(dilation, [](std::int64_t step) { return step > 1; });
}

void check_convolution(const Type& left, const Type& right, const ConvolutionAxes& axes,
                       const Shape& result) {
  const auto inside = [](const Shape& shape, const Axes& spatial, int a, int b) {
    const auto ok = [&](std::int64_t axis) { return axis >= 0 && axis < shape.rank(); };
    return std::ranges::all_of(spatial, ok) && ok(a) && ok(b) &&
           static_cast<std::size_t>(shape.rank()) == spatial.size() + 2;
  };
  const bool fits =
      inside(left.shape, axes.spatial, axes.batch, axes.features) &&
      inside(right.shape, axes.filter_spatial, axes.filter_inputs, axes.filter_outputs) &&
      inside(result, axes.out_spatial, axes.out_batch, axes.out_features) &&
      axes.feature_groups >= 1 && axes.batch_groups >= 1 &&
      axes.feature_groups <= extent_at(left.shape, axes.features) &&
      axes.batch_groups <= extent_at(left.shape, axes.batch) &&
      extent_at(left.shape, axes.features) ==
          extent_at(right.shape, axes.filter_inputs) * axes.feature_groups &&
      extent_at(right.shape, axes.filter_outputs) == extent_at(result, axes.out_features);
  if (fits) return;
  throw Error(fmt::format("convolution: {} and filter {} do not make {} in {} x {} groups",
                          text_of(left.dtype, left.shape), text_of(right.dtype, right.shape),
                          text_of(left.dtype, result), axes.feature_groups, axes.batch_groups));
}

// In a filter's gradient the batch is contracted, and the window is the upstream.
bool contracts_batch(const ConvolutionAxes& axes) { return axes.features == 0; }

std::uint8_t images_of(const Type& left, const ConvolutionAxes& axes) {
  if (left.shape.rank() != 4) return 0;
  const bool channels_last = axes.batch == 3 || axes.features == 3;
  if (!channels_last) return 0;
  return contracts_batch(axes) ? 1 | 2 : 1 | OpTraits::image_result;
}

MatrixWork product_for(const Shape& left, const Shape& right, const ConvolutionAxes& axes,
                       const Shape& result) {
  const std::int64_t groups = axes.feature_groups * axes.batch_groups;
  // Of a spread image only the values count, one each stride.
  const std::int64_t pixels = spreads(axes.left_dilation) ? product_of(left, axes.spatial)
                                                          : product_of(result, axes.out_spatial);
  const std::int64_t taps = product_of(right, axes.filter_spatial);
  const std::int64_t first =
      axes.filter_spatial.empty() ? 1 : extent_at(right, axes.filter_spatial[0]);
  return {.batch = groups,
          .m = extent_at(result, axes.out_batch) * pixels,
          .k = taps * extent_at(right, axes.filter_inputs),
          .n = extent_at(right, axes.filter_outputs) / groups,
          .k_pieces = contracts_batch(axes) ? 1 : first};
}

}  // namespace

Tensor convolution_general(Tensor left, Tensor right, const ConvolutionAxes& axes,
                           MatmulPrecision precision, const Shape& result, DType dtype) {
  const Type& a = left.type();
  const Type& b = right.type();
  check_convolution(a, b, axes, result);
  MatrixWork product = product_for(a.shape, b.shape, axes, result);
  check_operations("convolution", product);
  const bool narrow = a.dtype != DType::f32 && b.dtype != DType::f32;
  product.passes = narrow ? 1 : passes_of(precision);
  // Depthwise: the vector unit's, a multiplication and an addition a tap.
  const bool depthwise = axes.feature_groups > 1 && extent_at(b.shape, axes.filter_inputs) == 1;
  Work work = product;
  if (depthwise) {
    work = VectorWork{.shape = result,
                      .cheap = static_cast<int>(std::min<std::int64_t>(2 * product.k, 1 << 14))};
  }
  GeneralOp op{
      .name = "convolution",
      .attributes = fmt::format(
          "batch={} features={} filter={}{} out={}{} strides={} before={} dilation={}x{} "
          "groups={}x{} passes={}",
          axes.batch, axes.features, axes.filter_inputs, axes.filter_outputs, axes.out_batch,
          axes.out_features, fmt::join(axes.strides, ","), fmt::join(axes.before, ","),
          fmt::join(axes.left_dilation, ","), fmt::join(axes.right_dilation, ","),
          axes.feature_groups, axes.batch_groups, product.passes),
      .traits = {.rounds = precision == MatmulPrecision::default_, .images = images_of(a, axes)},
      .type = {result, dtype},
      .work = work};
  const std::array inputs{left, right};
  return apply_general(*left.graph, std::move(op), inputs);
}

}  // namespace tpulab
