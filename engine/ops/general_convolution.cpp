// Convolutions over any axes, windows spread or not: what gradients of convolutions are written as.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
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
      extent_at(right.shape, axes.filter_outputs) == extent_at(result, axes.out_features) &&
      extent_at(result, axes.out_features) % axes.feature_groups == 0 &&
      extent_at(result, axes.out_features) % axes.batch_groups == 0 &&
      extent_at(result, axes.out_batch) * axes.batch_groups == extent_at(left.shape, axes.batch);
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
  // Of a spread image only the values count, one each stride: each meets all taps, or, where the
  // window is as large as the image, as many taps as there are values.
  const std::int64_t values = product_of(left, axes.spatial);
  std::int64_t pixels = product_of(result, axes.out_spatial);
  std::int64_t taps = product_of(right, axes.filter_spatial);
  if (spreads(axes.left_dilation)) {
    if (pixels < values) {
      taps = std::min(taps, values);
    } else {
      pixels = values;
    }
  }
  const std::int64_t first =
      axes.filter_spatial.empty() ? 1 : extent_at(right, axes.filter_spatial[0]);
  const bool sums = contracts_batch(axes);
  const MatrixWork whole{.batch = groups,
                         .m = extent_at(result, axes.out_batch) * pixels,
                         .k = taps * extent_at(right, axes.filter_inputs),
                         .n = extent_at(right, axes.filter_outputs) / groups,
                         .k_pieces = sums ? 1 : first};
  return sums ? whole.in_narrow_groups(taps, pixels, true)
              : whole.in_narrow_groups(pixels, taps, false);
}

std::int64_t or_one(const Axes& axes, std::size_t at) { return at < axes.size() ? axes[at] : 1; }

// One element of the result at a time, as StableHLO defines it.
class Direct {
 public:
  Direct(const ConvolutionAxes& axes, const ArrayView& left, const ArrayView& right,
         const Shape& result)
      : axes_(axes),
        left_(left),
        right_(right),
        left_steps_(row_major_strides(left.shape)),
        right_steps_(row_major_strides(right.shape)),
        inputs_(extent_at(right.shape, axes.filter_inputs)),
        features_(extent_at(result, axes.out_features)) {
    Axes taps;
    for (const std::int64_t axis : axes.filter_spatial)
      taps.push_back(extent_at(right.shape, axis));
    taps_ = Shape(std::span<const std::int64_t>(taps));
  }

  float at(const Shape& place) const {
    const std::int64_t feature = place[axes_.out_features];
    const std::int64_t batches = extent_at(left_.shape, axes_.batch) / axes_.batch_groups;
    const std::int64_t batch_group = feature / (features_ / axes_.batch_groups);
    const std::int64_t group = feature / (features_ / axes_.feature_groups);
    const std::int64_t left_base =
        (place[axes_.out_batch] + batch_group * batches) * left_steps_[axes_.batch] +
        (axes_.feature_groups > 1 ? group * inputs_ : 0) * left_steps_[axes_.features];
    const std::int64_t right_base = feature * right_steps_[axes_.filter_outputs];
    double sum = 0;
    Strider tap(taps_, row_major_strides(taps_).extents());
    for (std::int64_t i = 0; i < taps_.elements(); ++i, tap.next()) {
      std::int64_t from = left_base;
      std::int64_t weight = right_base;
      if (!inside(place, tap.index(), from, weight)) continue;
      for (std::int64_t k = 0; k < inputs_; ++k) {
        sum += static_cast<double>(left_[from + k * left_steps_[axes_.features]]) *
               static_cast<double>(right_[weight + k * right_steps_[axes_.filter_inputs]]);
      }
    }
    return static_cast<float>(sum);
  }

 private:
  bool inside(const Shape& place, const Shape& tap, std::int64_t& from,
              std::int64_t& weight) const {
    for (std::size_t i = 0; i < axes_.spatial.size(); ++i) {
      const int axis = static_cast<int>(i);
      const std::int64_t spread = or_one(axes_.left_dilation, i);
      const std::int64_t at =
          place[static_cast<int>(axes_.out_spatial[i])] * or_one(axes_.strides, i) -
          (i < axes_.before.size() ? axes_.before[i] : 0) +
          tap[axis] * or_one(axes_.right_dilation, i);
      if (at < 0 || at % spread != 0 || at / spread >= extent_at(left_.shape, axes_.spatial[i])) {
        return false;
      }
      from += at / spread * left_steps_[static_cast<int>(axes_.spatial[i])];
      weight += tap[axis] * right_steps_[static_cast<int>(axes_.filter_spatial[i])];
    }
    return true;
  }

  const ConvolutionAxes& axes_;
  ArrayView left_;
  ArrayView right_;
  Shape left_steps_;
  Shape right_steps_;
  Shape taps_;
  std::int64_t inputs_;
  std::int64_t features_;
};

// As the matrix unit takes them: f32 operands of a single pass are rounded.
std::vector<float> operand(const ArrayView& x, MatmulPrecision precision) {
  std::vector<float> values(x.values().begin(), x.values().end());
  if (precision == MatmulPrecision::default_) round_to(DType::bf16, values);
  return values;
}

GeneralOp::Numbers convolution_numbers(const ConvolutionAxes& axes, MatmulPrecision precision) {
  return [axes, precision](std::span<const ArrayView> in, const ArraySpan& out,
                           const EvaluateContext& context) {
    const std::vector<float> left = operand(in[0], precision);
    const std::vector<float> right = operand(in[1], precision);
    const Direct direct(axes, {left.data(), in[0].shape, in[0].dtype},
                        {right.data(), in[1].shape, in[1].dtype}, out.shape);
    const Shape steps = row_major_strides(out.shape);
    constexpr std::int64_t grain = 256;
    for_chunks(context, out.elements(), grain, [&](std::int64_t first, std::int64_t last) {
      Shape place = out.shape;
      for (std::int64_t i = first; i < last; ++i) {
        std::int64_t rest = i;
        for (int axis = 0; axis < place.rank(); ++axis) {
          place[axis] = rest / steps[axis];
          rest %= steps[axis];
        }
        out[i] = direct.at(place);
      }
    });
  };
}

}  // namespace

Tensor convolution_general(Tensor left, Tensor right, const ConvolutionAxes& axes,
                           MatmulPrecision precision, const Shape& result, DType dtype) {
  const Type& a = left.type();
  const Type& b = right.type();
  check_convolution(a, b, axes, result);
  MatrixWork product = product_for(a.shape, b.shape, axes, result);
  check_operations("convolution", product);
  product.passes = passes_of(precision, a.dtype, b.dtype);
  // Depthwise: the vector unit's, a multiplication and an addition a tap. They count as the model's
  // operations, as those of its filter's gradient do, which is written as groups of the batch.
  const bool depthwise = axes.feature_groups > 1 && extent_at(b.shape, axes.filter_inputs) == 1;
  Work work = product;
  if (depthwise) {
    work = VectorWork{.shape = result,
                      .cheap = static_cast<int>(std::min<std::int64_t>(2 * product.k, 1 << 14)),
                      .convolved = product.flops()};
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
      .work = work,
      .numbers = convolution_numbers(axes, precision)};
  const std::array inputs{left, right};
  return apply_general(*left.graph, std::move(op), inputs);
}

}  // namespace tpulab
