#include "engine/formats/stablehlo/division_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

bool holds(const Axes& axes, std::int64_t axis) {
  return std::ranges::find(axes, axis) != axes.end();
}

class RuleMaker {
 public:
  RuleMaker(const Operation& operation, std::span<const Shape> operands,
            std::span<const Shape> results)
      : call_{.operation = operation, .graph = graph_},
        operands_(operands.size()),
        shapes_(operands.begin(), operands.end()) {
    shapes_.insert(shapes_.end(), results.begin(), results.end());
    for (const Shape& one : shapes_) {
      rule_.factors.emplace_back(static_cast<std::size_t>(one.rank()), -1);
    }
    rule_.operands = operands_;
  }

  DivisionRule run() && {
    if (shapes_.empty()) return std::move(rule_);
    // Empty for those of another dialect, as constraints on shardings are.
    const std::string_view name = without_dialect(call_.operation.name);
    const auto* const row = std::ranges::find(rows, name, &Row::name);
    if (row != rows.end()) {
      if (shapes_.size() >= row->values && shapes_.size() > operands_) (this->*row->make)();
    } else if (name.empty() || name == "custom_call" || elementwise_lowering(name) != nullptr) {
      alike();
    }
    return std::move(rule_);
  }

  DivisionRule all_alike() && {
    if (!shapes_.empty()) alike();
    return std::move(rule_);
  }

 private:
  using Place = std::pair<std::size_t, std::int64_t>;  // value, axis
  struct Row {
    std::string_view name;
    std::size_t values;
    void (RuleMaker::*make)();
  };

  const Shape& shape(std::size_t value) const { return shapes_[value]; }
  bool has(const Place& place) const {
    return place.first < shapes_.size() && place.second >= 0 &&
           place.second < shape(place.first).rank();
  }

  // Axes that name none leave the rule as it is: whoever lowers the operation refuses it.
  void tie(const std::vector<Place>& places, bool folded = false) {
    for (const Place& one : places) {
      if (!has(one)) return;
    }
    for (const Place& one : places) {
      rule_.factors[one.first][static_cast<std::size_t>(one.second)] =
          static_cast<int>(rule_.folded.size());
    }
    rule_.folded.push_back(folded);
  }

  // Of all values with this many axes; scalars are what each device has.
  void alike() {
    for (int axis = 0; axis < Shape::max_rank; ++axis) alike_along(axis);
  }

  void alike_along(int axis) {
    bool some = false;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (axis >= shape(i).rank() || shape(i).rank() != shapes_.back().rank()) continue;
      some = true;
      rule_.factors[i][static_cast<std::size_t>(axis)] = static_cast<int>(rule_.folded.size());
    }
    if (some) rule_.folded.push_back(false);
  }

  // Axes that are as long in all arrays, except `own`.
  void alike_where_whole(const Axes& own = {}) {
    for (int axis = 0; axis < shapes_.back().rank(); ++axis) {
      const bool whole = std::ranges::all_of(shapes_, [&](const Shape& one) {
        return one.rank() != shapes_.back().rank() || one[axis] == shapes_.back()[axis];
      });
      if (whole && !holds(own, axis)) alike_along(axis);
    }
  }

  void by_place() { alike_where_whole(); }

  Axes listed(std::string_view pretty, std::string_view generic) const {
    const std::string_view raw = call_.operation.attributes.find(pretty);
    return whole_numbers(raw.empty() ? call_.operation.attributes.find(generic) : raw);
  }

  void any() {
    for (int axis = 0; axis < shapes_.back().rank(); ++axis) tie({{shapes_.size() - 1, axis}});
  }

  void broadcast() {
    const Axes to = listed("dims", "broadcast_dimensions");
    any();
    for (std::size_t i = 0; i < to.size(); ++i) {
      const Place from{0, static_cast<std::int64_t>(i)};
      const Place place{1, to[i]};
      const bool kept = has(from) && has(place) &&
                        shape(0)[static_cast<int>(i)] == shape(1)[static_cast<int>(to[i])];
      if (kept) tie({from, place});
    }
  }

  void transposed() {
    const Axes order = listed("dims", "permutation");
    for (std::size_t i = 0; i < order.size(); ++i) {
      tie({{0, order[i]}, {1, static_cast<std::int64_t>(i)}});
    }
  }

  // [b*s, d] and [b, s, d]: the first axes of what becomes one are divided together.
  void reshaped() {
    const Shape& in = shape(0);
    const Shape& out = shape(1);
    for (int i = 0, o = 0; i < in.rank() && o < out.rank();) {
      if (in[i] == 1 || out[o] == 1) {
        (in[i] == 1 ? i : o) += 1;
        continue;
      }
      tie({{0, i}, {1, o}});
      std::int64_t left = in[i++];
      std::int64_t right = out[o++];
      while (left != right) {
        if (left < right ? i >= in.rank() : o >= out.rank()) return;
        left < right ? left *= in[i++] : right *= out[o++];
      }
    }
  }

  void reduced() {
    const Axes axes = listed("dimensions", "dimensions");
    const std::size_t arrays = operands_ / 2;
    const std::string_view function = folding_function(call_.operation);
    const bool folds = arrays == 1 && (function == "add" || function == "maximum");
    if (folds) rule_.folds = function;
    std::int64_t kept = 0;
    for (int axis = 0; axis < shape(0).rank(); ++axis) {
      if (holds(axes, axis)) {
        if (folds) tie({{0, axis}}, true);
        continue;
      }
      std::vector<Place> places;
      for (std::size_t i = 0; i < arrays; ++i) {
        places.insert(places.end(), {Place{i, axis}, Place{operands_ + i, kept}});
      }
      tie(places);
      ++kept;
    }
  }

  void product() {
    rule_.heavy = rule_.by_arrays = true;
    DotAxes axes = dot_axes(call_);
    if (call_.operation.name.ends_with(".dot")) {
      axes = {.left_contracted = {shape(0).rank() - 1}, .right_contracted = {0}};
    }
    std::int64_t at = 0;
    for (std::size_t i = 0; i < std::min(axes.left_batch.size(), axes.right_batch.size()); ++i) {
      tie({{0, axes.left_batch[i]}, {1, axes.right_batch[i]}, {2, at++}});
    }
    const auto contracted = std::min(axes.left_contracted.size(), axes.right_contracted.size());
    for (std::size_t i = 0; i < contracted; ++i) {
      tie({{0, axes.left_contracted[i]}, {1, axes.right_contracted[i]}}, true);
    }
    const auto free = [&](std::size_t value, const Axes& batch, const Axes& gone) {
      for (int axis = 0; axis < shape(value).rank(); ++axis) {
        if (!holds(batch, axis) && !holds(gone, axis)) tie({{value, axis}, {2, at++}});
      }
    };
    free(0, axes.left_batch, axes.left_contracted);
    free(1, axes.right_batch, axes.right_contracted);
  }

  // The gradient of a filter contracts what is the batch of both, here "features".
  void convolution() {
    rule_.heavy = rule_.by_arrays = true;
    const ConvolutionAxes axes = convolution_axes(call_);
    if (axes.batch_groups != 1) return;
    tie({{0, axes.batch}, {2, axes.out_batch}});
    if (axes.feature_groups != 1) return;
    tie({{0, axes.features}, {1, axes.filter_inputs}}, true);
    tie({{1, axes.filter_outputs}, {2, axes.out_features}});
  }

  void part() {
    const Ranges ranges = ranges_of(call_);
    for (std::size_t i = 0; i < ranges.first.size(); ++i) {
      const auto axis = static_cast<std::int64_t>(i);
      if (!has({0, axis}) || !has({1, axis})) return;
      if (shape(0)[static_cast<int>(i)] == shape(1)[static_cast<int>(i)]) {
        tie({{0, axis}, {1, axis}});
      }
    }
  }

  void padded() {
    Axes own;
    for (const auto& [pretty, generic] :
         {std::pair("low", "edge_padding_low"), std::pair("high", "edge_padding_high"),
          std::pair("interior", "interior_padding")}) {
      const Axes amounts = listed(pretty, generic);
      for (std::size_t i = 0; i < amounts.size(); ++i) {
        if (amounts[i] != 0) own.push_back(static_cast<std::int64_t>(i));
      }
    }
    alike_where_whole(own);
  }

  // Along the last axis unless it says another, which may count from behind.
  void sorted() {
    const Axes said = listed("dimension", "dimension");
    const std::int64_t axis = said.empty() ? -1 : said.front();
    alike_where_whole({axis < 0 ? axis + shapes_.back().rank() : axis});
  }

  void windowed() {
    const Axes sizes = listed("window_dimensions", "window_dimensions");
    Axes own;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] != 1) own.push_back(static_cast<std::int64_t>(i));
    }
    alike_where_whole(own);
  }

  // Of the last axes each device needs the whole.
  void all_but_last(std::int64_t count) {
    Axes own;
    for (std::int64_t i = 1; i <= count; ++i) own.push_back(shapes_.back().rank() - i);
    alike_where_whole(own);
  }

  void ranked() { all_but_last(1); }
  void solved() { all_but_last(2); }
  void transformed() { all_but_last(std::ssize(listed("length", "fft_length"))); }
  void reversed() { alike_where_whole(listed("dims", "dimensions")); }

  // Rows of a table by index: windows that have all of an axis, and the axes of the indices. What
  // is written adds up, wherever it comes from.
  void indexed(bool gathers) {
    rule_.heavy = true;
    const IndexAxes axes = index_axes(call_, gathers);
    constexpr std::size_t windows = two;  // the result of one, updates of the other
    if (!gathers && (operands_ != 3 || folding_function(call_.operation) != "add")) return;
    std::size_t next = 0;
    for (int axis = 0; axis < shape(0).rank(); ++axis) {
      if (holds(axes.operand_batching, axis)) continue;
      // Each device has the rows that lie with it: of a table zeros for the others, of which one
      // among all devices is none.
      if (holds(axes.collapsed, axis)) {
        gathers ? tie({{0, axis}}, true) : tie({{0, axis}, {3, axis}});
        continue;
      }
      if (next == axes.windows.size()) return;
      const Place window{windows, axes.windows[next++]};
      if (!has(window)) return;
      if (shape(windows)[static_cast<int>(window.second)] != shape(0)[axis]) continue;
      gathers ? tie({{0, axis}, window}) : tie({{0, axis}, window, {3, axis}});
    }
    std::int64_t row = 0;
    for (int axis = 0; axis < shape(windows).rank(); ++axis) {
      if (holds(axes.windows, axis)) continue;
      if (row == axes.vector) ++row;
      const Place index{1, row++};
      const auto found = std::ranges::find(axes.indices_batching, index.second);
      const auto at = static_cast<std::size_t>(found - axes.indices_batching.begin());
      const Place window{windows, axis};
      if (at >= axes.operand_batching.size()) {
        tie({index, window}, !gathers);
      } else if (const Place of{0, axes.operand_batching[at]}; gathers) {
        tie({of, index, window});
      } else {
        tie({of, index, window, {3, of.second}});
      }
    }
  }

  // What the devices of a shard_map exchange is divided by the others along the axes that stay.
  void exchanged() {
    if (shapes_.size() != operands_ * 2) return;
    Axes own = listed("split_dimension", "split_dimension");
    const Axes joined = listed("concat_dimension", "concat_dimension");
    own.insert(own.end(), joined.begin(), joined.end());
    for (std::size_t i = 0; i < operands_; ++i) {
      for (int axis = 0; axis < std::min(shape(i).rank(), shape(operands_ + i).rank()); ++axis) {
        const bool stays = shape(i)[axis] == shape(operands_ + i)[axis];
        if (stays && !holds(own, axis)) tie({{i, axis}, {operands_ + i, axis}});
      }
    }
  }

  void gathered() { indexed(true); }
  void scattered() { indexed(false); }

  static constexpr std::size_t two = 2;
  static constexpr std::size_t three = 3;
  static constexpr std::array<Row, 29> rows{{
      {"constant", 1, &RuleMaker::any},
      {"iota", 1, &RuleMaker::any},
      {"broadcast_in_dim", two, &RuleMaker::broadcast},
      {"transpose", two, &RuleMaker::transposed},
      {"reshape", two, &RuleMaker::reshaped},
      {"reduce", three, &RuleMaker::reduced},
      {"dot_general", three, &RuleMaker::product},
      {"dot", three, &RuleMaker::product},
      {"convolution", three, &RuleMaker::convolution},
      {"slice", two, &RuleMaker::part},
      {"dynamic_slice", two, &RuleMaker::by_place},
      {"dynamic_update_slice", three, &RuleMaker::by_place},
      {"concatenate", two, &RuleMaker::by_place},
      {"pad", three, &RuleMaker::padded},
      {"sort", two, &RuleMaker::sorted},
      {"top_k", two, &RuleMaker::ranked},
      {"reverse", two, &RuleMaker::reversed},
      {"fft", two, &RuleMaker::transformed},
      {"cholesky", two, &RuleMaker::solved},
      {"triangular_solve", three, &RuleMaker::solved},
      {"reduce_window", three, &RuleMaker::windowed},
      {"select_and_scatter", three, &RuleMaker::windowed},
      {"gather", three, &RuleMaker::gathered},
      {"scatter", three, &RuleMaker::scattered},
      {"all_reduce", two, &RuleMaker::exchanged},
      {"all_gather", two, &RuleMaker::exchanged},
      {"reduce_scatter", two, &RuleMaker::exchanged},
      {"all_to_all", two, &RuleMaker::exchanged},
      {"collective_permute", two, &RuleMaker::exchanged},
  }};

  Graph graph_;
  Call call_;
  std::size_t operands_ = 0;
  std::vector<Shape> shapes_;
  DivisionRule rule_;
};

}  // namespace

DivisionRule division_rule(const Operation& operation, std::span<const Shape> operands,
                           std::span<const Shape> results) {
  return RuleMaker(operation, operands, results).run();
}

DivisionRule same_division(std::span<const Shape> values, std::size_t operands) {
  static const Operation none{};
  return RuleMaker(none, values.first(operands), values.subspan(operands)).all_alike();
}

}  // namespace tpulab::stablehlo
