// dot_general, dot, convolution.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

namespace {

// "[0, 1] x [0, 1]" -> both lists.
std::pair<Axes, Axes> pair_of(std::string_view raw) {
  const std::size_t cross = raw.find(']');
  if (cross == std::string_view::npos) return {};
  return {whole_numbers(raw.substr(0, cross + 1)), whole_numbers(raw.substr(cross + 1))};
}

bool multiplies_fp8(const Operation& operation) {
  return std::ranges::any_of(operation.operand_types,
                             [](const TensorType& one) { return is_fp8(one.element); });
}

}  // namespace

// The higher of both operands': precision = [DEFAULT, HIGHEST], precision_config =
// [#stablehlo<..>].
MatmulPrecision precision_of(const Operation& operation) {
  for (const std::string_view key : {"precision", "precision_config"}) {
    const std::string_view raw = operation.attributes.find(key);
    if (raw.find("HIGHEST") != std::string_view::npos) return MatmulPrecision::highest;
    if (raw.find("HIGH") != std::string_view::npos) return MatmulPrecision::high;
  }
  return MatmulPrecision::default_;
}

DotAxes dot_axes(const Call& call) {
  DotAxes axes{.fp8 = multiplies_fp8(call.operation)};
  const Attributes& written = call.operation.attributes;
  std::string_view dimensions = written.find("dot_dimension_numbers");
  if (dimensions.empty() && !call.operation.lists.empty()) dimensions = call.operation.lists[0];
  if (!dimensions.empty()) {
    const Attributes inner = inner_attributes(dimensions);
    axes.left_batch = whole_numbers(inner.find("lhs_batching_dimensions"));
    axes.right_batch = whole_numbers(inner.find("rhs_batching_dimensions"));
    axes.left_contracted = whole_numbers(inner.find("lhs_contracting_dimensions"));
    axes.right_contracted = whole_numbers(inner.find("rhs_contracting_dimensions"));
    return axes;
  }
  std::tie(axes.left_batch, axes.right_batch) = pair_of(written.find("batching_dims"));
  std::tie(axes.left_contracted, axes.right_contracted) = pair_of(written.find("contracting_dims"));
  return axes;
}

namespace {

Tensor dot(const Call& call) {
  return dot_general(call.input(0), call.input(1), dot_axes(call), precision_of(call.operation),
                     call.type.dtype);
}

// The old form: the last axis with the first.
Tensor plain_dot(const Call& call) {
  const DotAxes axes{.left_contracted = {call.input(0).shape().rank() - 1},
                     .right_contracted = {0},
                     .fp8 = multiplies_fp8(call.operation)};
  return dot_general(call.input(0), call.input(1), axes, precision_of(call.operation),
                     call.type.dtype);
}

// "[b, 0, 1, f]" -> where each letter and each number stands.
struct Places {
  int first = -1;   // of b, i
  int second = -1;  // of f, o
  Axes spatial{};
};

Places places_of(const Call& call, std::string_view list, char first, char second) {
  Places places;
  const std::vector<std::string_view> parts = parts_of(list);
  places.spatial.assign(parts.size() < 2 ? 0 : parts.size() - 2, -1);
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const std::string_view part = parts[at];
    if (part.size() == 1 && part[0] == first) {
      places.first = static_cast<int>(at);
    } else if (part.size() == 1 && part[0] == second) {
      places.second = static_cast<int>(at);
    } else {
      const std::vector<std::int64_t> axis = whole_numbers(part);
      const bool known = axis.size() == 1 && axis[0] >= 0 &&
                         static_cast<std::size_t>(axis[0]) < places.spatial.size();
      if (!known) call.refuse(fmt::format("'{}' in dim_numbers is no axis", part));
      places.spatial[static_cast<std::size_t>(axis[0])] = static_cast<std::int64_t>(at);
    }
  }
  const bool whole = places.first >= 0 && places.second >= 0 &&
                     std::ranges::find(places.spatial, -1) == places.spatial.end();
  if (!whole) call.refuse("dim_numbers do not name every axis");
  return places;
}

}  // namespace

// dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], or #stablehlo.conv<..> of the same.
ConvolutionAxes convolution_axes(const Call& call) {
  std::string_view raw = call.operation.attributes.find("dim_numbers");
  if (raw.empty()) raw = call.operation.attributes.find("dimension_numbers");
  std::array<std::string_view, 3> lists;
  for (std::string_view& list : lists) {
    const std::size_t from = raw.find('[');
    const std::size_t to = raw.find(']');
    if (from == std::string_view::npos || to == std::string_view::npos || to < from) {
      call.refuse("dim_numbers are three lists of axes");
    }
    list = raw.substr(from, to - from + 1);
    raw.remove_prefix(to + 1);
  }
  const Places image = places_of(call, lists[0], 'b', 'f');
  const Places filter = places_of(call, lists[1], 'i', 'o');
  const Places out = places_of(call, lists[2], 'b', 'f');
  return {.batch = image.first,
          .features = image.second,
          .spatial = image.spatial,
          .filter_inputs = filter.first,
          .filter_outputs = filter.second,
          .filter_spatial = filter.spatial,
          .out_batch = out.first,
          .out_features = out.second,
          .out_spatial = out.spatial};
}

namespace {

// window = {stride = [2, 2], lhs_dilate = [..]}, or attributes of their own.
Axes window_list(const Call& call, std::string_view pretty, std::string_view generic) {
  const Attributes window = inner_attributes(call.operation.attributes.find("window"));
  const std::string_view raw = window.find(pretty);
  return whole_numbers(raw.empty() ? call.operation.attributes.find(generic) : raw);
}

std::int64_t groups_of(const Call& call, std::string_view key) {
  const std::vector<std::int64_t> groups = call.list_or(key, 1, 1);
  return groups.empty() ? 1 : groups[0];
}

Tensor convolution(const Call& call) {
  ConvolutionAxes axes = convolution_axes(call);
  axes.strides = window_list(call, "stride", "window_strides");
  axes.left_dilation = window_list(call, "lhs_dilate", "lhs_dilation");
  axes.right_dilation = window_list(call, "rhs_dilate", "rhs_dilation");
  const Axes padding = window_list(call, "pad", "padding");
  for (std::size_t i = 0; i + 1 < padding.size(); i += 2) axes.before.push_back(padding[i]);
  axes.feature_groups = groups_of(call, "feature_group_count");
  axes.batch_groups = groups_of(call, "batch_group_count");
  return convolution_general(call.input(0), call.input(1), axes, precision_of(call.operation),
                             call.type.shape, call.type.dtype);
}

}  // namespace

Lowering product_lowering(std::string_view name) {
  if (name == "dot_general") return dot;
  if (name == "dot") return plain_dot;
  if (name == "convolution") return convolution;
  return nullptr;
}

}  // namespace tpulab::stablehlo
