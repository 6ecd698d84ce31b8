// Convolutions of any kind as matrix products.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "engine/base/work.h"
#include "engine/formats/hlo/kernel_work.h"

namespace tpulab::hlo {

namespace {

using Numbers = std::vector<std::int64_t>;

// More are no product of a computer.
constexpr std::int64_t most_operations = 1'000'000'000'000'000'000;

std::int64_t product_up_to_most(std::int64_t a, std::int64_t b) {
  return b > 0 && a > most_operations / b ? most_operations : a * b;
}

// One axis of a window: "size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1".
struct WindowAxis {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t before = 0;  // padding, which may be negative
  std::int64_t base_dilation = 1;
  std::int64_t window_dilation = 1;
};

std::vector<WindowAxis> window_of(const Instruction& product, std::size_t rank) {
  const std::string_view text = product.find("window");
  std::vector<WindowAxis> axes(rank);
  const auto fill = [&](std::string_view key, std::int64_t WindowAxis::*member, std::size_t step) {
    const Numbers values = field_of(text, key);
    for (std::size_t i = 0; i < rank && i * step < values.size(); ++i) {
      axes[i].*member = std::clamp<std::int64_t>(values[i * step], -(1 << 24), 1 << 24);
    }
  };
  fill("size=", &WindowAxis::size, 1);
  fill("stride=", &WindowAxis::stride, 1);
  fill("pad=", &WindowAxis::before, 2);
  fill("lhs_dilate=", &WindowAxis::base_dilation, 1);
  fill("rhs_dilate=", &WindowAxis::window_dilation, 1);
  for (WindowAxis& axis : axes) {
    axis.stride = std::max<std::int64_t>(axis.stride, 1);
    axis.base_dilation = std::max<std::int64_t>(axis.base_dilation, 1);
    axis.window_dilation = std::max<std::int64_t>(axis.window_dilation, 1);
  }
  return axes;
}

// Pairs of an output position and a tap of the window that meet an element, neither padding nor
// the gaps of a dilation: what XLA's own count of operations counts.
std::int64_t meetings(const WindowAxis& axis, std::int64_t inputs, std::int64_t outputs) {
  constexpr std::int64_t most = std::int64_t{1} << 16;  // looked at one by one
  const std::int64_t extent = (inputs - 1) * axis.base_dilation;
  // Outputs that meet the same element of the pattern come round again.
  const std::int64_t round = axis.base_dilation / std::gcd(axis.stride, axis.base_dilation);
  if (axis.size > most || round > most || axis.size * round > most) {
    return product_up_to_most(axis.size, outputs) / axis.base_dilation;
  }
  std::int64_t count = 0;
  for (std::int64_t tap = 0; tap < axis.size; ++tap) {
    const std::int64_t offset = tap * axis.window_dilation - axis.before;
    // Outputs from `first` to `last` lie inside; of those, every `round`th meets an element.
    const std::int64_t first = offset >= 0 ? 0 : (-offset + axis.stride - 1) / axis.stride;
    const std::int64_t last =
        extent < offset ? -1 : std::min(outputs - 1, (extent - offset) / axis.stride);
    for (std::int64_t output = first; output < first + round && output <= last; ++output) {
      if ((output * axis.stride + offset) % axis.base_dilation == 0) {
        count += (last - output) / round + 1;
      }
    }
  }
  return count;
}

// "b01f_01io->b01f": where each letter stands.
struct Labels {
  std::string_view input;
  std::string_view filter;
  std::string_view output;

  static std::int64_t extent(std::string_view labels, char letter, const ArrayType& type) {
    const std::size_t at = labels.find(letter);
    return at < type.extents.size() ? type.extents[at] : 1;
  }
};

std::int64_t whole(const Instruction& product, std::string_view key) {
  return std::max<std::int64_t>(first_number(product.find(key), 1), 1);
}

// [TPU: XLA multiplies in bf16 unless asked; highest takes six passes, high three.]
int passes_of(const Instruction& product) {
  const std::string_view precision = product.find("operand_precision");
  if (precision.find("highest") != std::string_view::npos) return 6;
  return precision.find("high") != std::string_view::npos ? 3 : 1;
}

MatrixWork convolution(const Instruction& product, const ArrayType& input,
                       const ArrayType& output) {
  const std::string_view text = product.find("dim_labels");
  const std::size_t first = text.find('_');
  const std::size_t second = text.find("->");
  if (first == std::string_view::npos || second == std::string_view::npos) return {};
  const Labels labels{text.substr(0, first), text.substr(first + 1, second - first - 1),
                      text.substr(second + 2)};
  const std::size_t spatial = std::clamp<std::size_t>(labels.input.size(), 2, 8) - 2;
  const std::vector<WindowAxis> window = window_of(product, spatial);
  const std::int64_t features = whole(product, "feature_group_count");
  const std::int64_t groups = product_up_to_most(features, whole(product, "batch_group_count"));
  MatrixWork work{.m = Labels::extent(labels.output, 'b', output),
                  .k = Labels::extent(labels.input, 'f', input) / features,
                  .n = Labels::extent(labels.output, 'f', output) / groups};
  work.batch = groups;
  std::int64_t pixels = 1;
  std::int64_t all_taps = 1;
  for (std::size_t axis = 0; axis < spatial; ++axis) {
    const char letter = static_cast<char>('0' + axis);
    const std::int64_t outputs = Labels::extent(labels.output, letter, output);
    const std::int64_t met =
        meetings(window[axis], Labels::extent(labels.input, letter, input), outputs);
    const std::int64_t taps =
        std::max<std::int64_t>((met + outputs / 2) / std::max<std::int64_t>(outputs, 1), 1);
    // One element each although the window is longer: the axis of a batch, so written.
    const bool batch = taps == 1 && window[axis].size > 1;
    std::int64_t& rows = batch ? work.batch : work.m;
    rows = product_up_to_most(rows, outputs);
    work.k = product_up_to_most(work.k, taps);
    all_taps = product_up_to_most(all_taps, taps);
    if (!batch) pixels = product_up_to_most(pixels, outputs);
    if (axis == 0 && taps > 1) work.k_pieces = taps;
  }
  // Images in the lanes, or as many as fill them in the place of channels: as for our own layouts.
  const auto axis_of_images = static_cast<std::int64_t>(labels.input.find('b'));
  const std::int64_t images = Labels::extent(labels.input, 'b', input);
  const bool in_lanes = !input.order.empty() && input.order[0] == axis_of_images;
  const bool in_sublanes = input.order.size() > 1 && input.order[1] == axis_of_images;
  work.batch_in_lanes = spatial > 0 && (in_lanes || images % lane_count == 0);
  const bool sums_pixels = labels.input.starts_with('f');  // as of a filter's gradient
  const bool in_tile = work.batch_in_lanes ? !sums_pixels : in_sublanes;
  if (spatial > 0 && in_tile) work.images = images;
  if (all_taps == 1) return work;  // products of a batch may have such axes too
  const std::int64_t pieces = sums_pixels ? all_taps : pixels;
  if (work.batch > most_operations / pieces) return work;  // too many, as will be said
  return work.in_narrow_groups(pieces, sums_pixels ? pixels : all_taps, sums_pixels);
}

struct DotAxes {
  Numbers batch{};
  Numbers folded{};
};

bool has_axis(const Numbers& axes, std::size_t axis) {
  return std::ranges::find(axes, static_cast<std::int64_t>(axis)) != axes.end();
}

std::string text_of(const Numbers& numbers) { return fmt::format("[{}]", fmt::join(numbers, ",")); }

bool are_axes(const DotAxes& axes, const ArrayType& type) {
  Numbers all = axes.batch;
  all.insert(all.end(), axes.folded.begin(), axes.folded.end());
  return std::ranges::all_of(all, [&](std::int64_t axis) {
    return axis >= 0 && axis < std::ssize(type.extents) && std::ranges::count(all, axis) == 1;
  });
}

Numbers extents_of(const ArrayType& type, const Numbers& axes) {
  Numbers extents;
  for (const std::int64_t axis : axes)
    extents.push_back(type.extents[static_cast<std::size_t>(axis)]);
  return extents;
}

Numbers free_extents(const ArrayType& type, const DotAxes& axes) {
  Numbers extents;
  for (std::size_t axis = 0; axis < type.extents.size(); ++axis) {
    if (!has_axis(axes.batch, axis) && !has_axis(axes.folded, axis))
      extents.push_back(type.extents[axis]);
  }
  return extents;
}

// What does not fit; empty if all does.
std::string misfit_of(const ArrayType& left, const DotAxes& a, const ArrayType& right,
                      const DotAxes& b, const Numbers& result) {
  const bool fit = are_axes(a, left) && are_axes(b, right) &&
                   extents_of(left, a.batch) == extents_of(right, b.batch) &&
                   extents_of(left, a.folded) == extents_of(right, b.folded);
  if (!fit) {
    return fmt::format(
        "{} over {} and {} over {} do not fit; contracted and batch axes are pairs of one extent",
        text_of(left.extents), text_of(a.folded), text_of(right.extents), text_of(b.folded));
  }
  Numbers made = extents_of(left, a.batch);
  for (const Numbers& more : {free_extents(left, a), free_extents(right, b)}) {
    made.insert(made.end(), more.begin(), more.end());
  }
  if (made == result) return {};
  return fmt::format("its operands make {}, and it is {}", text_of(made), text_of(result));
}

std::int64_t product_of_all(const Numbers& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, product_up_to_most);
}

MatrixWork dot(const Module& module, const Instruction& product, const ArrayType& left,
               const ArrayType& right) {
  const DotAxes a{numbers_in(product.find("lhs_batch_dims")),
                  numbers_in(product.find("lhs_contracting_dims"))};
  const DotAxes b{numbers_in(product.find("rhs_batch_dims")),
                  numbers_in(product.find("rhs_contracting_dims"))};
  const std::string misfit = misfit_of(left, a, right, b, product.type.arrays[0].extents);
  if (!misfit.empty()) module.refuse(product.line, fmt::format("{}: {}", product.name, misfit));
  return {.batch = product_of_all(extents_of(left, a.batch)),
          .m = product_of_all(free_extents(left, a)),
          .k = product_of_all(extents_of(left, a.folded)),
          .n = product_of_all(free_extents(right, b))};
}

}  // namespace

Numbers field_of(std::string_view window, std::string_view key) {
  std::size_t at = window.find(key);
  while (at != std::string_view::npos && at > 0 && window[at - 1] != ' ' && window[at - 1] != '{') {
    at = window.find(key, at + 1);
  }
  if (at == std::string_view::npos) return {};
  const std::string_view rest = window.substr(at + key.size());
  return numbers_in(rest.substr(0, rest.find_first_of(" }")));
}

MatrixWork product_of(const Module& module, const Computation& in, const Instruction& product) {
  std::array<const ArrayType*, 2> sides{};
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const auto* const from =
        side < product.operands.size() ? in.find(product.operands[side]) : nullptr;
    if (from == nullptr || from->type.arrays.empty()) {
      module.refuse(product.line, fmt::format("{} multiplies what is not there", product.name));
    }
    sides[side] = &from->type.arrays[0];
  }
  if (product.type.arrays.empty()) module.refuse(product.line, "a product without a result");
  MatrixWork work = product.opcode == "dot"
                        ? dot(module, product, *sides[0], *sides[1])
                        : convolution(product, *sides[0], product.type.arrays[0]);
  // Pairs of f32 are held as s64: a complex product is a real one of twice the width and depth.
  if (sides[0]->dtype == DType::s64 && sides[1]->dtype == DType::s64) {
    work.k *= 2;
    work.n *= 2;
  }
  const double operations = static_cast<double>(work.batch) * static_cast<double>(work.m) *
                            static_cast<double>(work.k) * static_cast<double>(work.n);
  if (work.m < 1 || work.n < 1 || work.k < 1 || work.batch < 1 ||
      operations > static_cast<double>(most_operations)) {
    module.refuse(product.line, fmt::format("the sizes of {} make no product", product.name));
  }
  work.passes = passes_of(product);
  const bool bytes = sides[0]->dtype == DType::pred && sides[1]->dtype == DType::pred;
  work.fp8 = bytes && (sides[0]->fp8 || sides[1]->fp8);
  work.quantised = bytes && !work.fp8;
  return work;
}

}  // namespace tpulab::hlo
