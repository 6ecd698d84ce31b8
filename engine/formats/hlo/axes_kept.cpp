#include "engine/formats/hlo/axes_kept.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/taken_rows.h"

namespace tpulab::hlo {

namespace {

using Numbers = std::vector<std::int64_t>;

int place_of(const Numbers& axes, int axis) {
  const auto found = std::ranges::find(axes, axis);
  return found == axes.end() ? summed_rows : static_cast<int>(found - axes.begin());
}

bool holds(const Numbers& axes, int axis) { return place_of(axes, axis) >= 0; }

int axis_when_reduced(const Numbers& axes, int axis) {
  if (holds(axes, axis)) return summed_rows;
  return axis -
         static_cast<int>(std::ranges::count_if(axes, [axis](auto one) { return one < axis; }));
}

// Axes of the batch come first, then those of the left operand that stay, then of the right one.
int axis_in_product(const Instruction& dot, std::size_t operand, int axis, int left_rank) {
  const std::array<std::string, 2> sides{"lhs", "rhs"};
  const auto axes = [&](std::size_t side, const char* which) {
    return numbers_in(dot.find(sides[side] + which));
  };
  const std::size_t side = std::min<std::size_t>(operand, 1);
  Numbers gone = axes(side, "_contracting_dims");
  const Numbers batch = axes(side, "_batch_dims");
  if (holds(gone, axis)) return summed_rows;
  if (holds(batch, axis)) return place_of(batch, axis);
  gone.insert(gone.end(), batch.begin(), batch.end());
  const int before =
      side == 0 ? 0
                : left_rank - static_cast<int>(axes(0, "_contracting_dims").size() + batch.size());
  return static_cast<int>(batch.size()) + before + axis_when_reduced(gone, axis);
}

// "b01f_01io->b01f": letters stay, and what a filter makes are features. Where a digit is of no
// image the compiler has made it of a batch of products.
int axis_in_convolution(const Instruction& convolution, std::size_t operand, int axis) {
  const std::string_view labels = convolution.find("dim_labels");
  const std::size_t filter = labels.find('_');
  const std::size_t made = labels.find("->");
  if (filter == std::string_view::npos || made == std::string_view::npos) return summed_rows;
  const std::string_view own =
      operand == 0 ? labels.substr(0, filter) : labels.substr(filter + 1, made - filter - 1);
  const auto at = static_cast<std::size_t>(axis);
  const char letter = at < own.size() ? own[at] : ' ';
  const char kept = letter == 'o' ? 'f' : letter;
  if (letter == (operand == 0 ? 'f' : 'i')) return summed_rows;
  const std::size_t found = labels.substr(made + 2).find(kept);
  return found == std::string_view::npos ? summed_rows : static_cast<int>(found);
}

// Layouts may say that axes are exchanged.
int axis_in_bitcast(const Shape& from, int axis, const Shape& to) {
  const int kept = axis_when_reshaped(from, axis, to);
  if (kept >= 0 || std::ranges::count(to.extents(), from[axis]) != 1) return kept;
  return static_cast<int>(std::ranges::find(to.extents(), from[axis]) - to.extents().begin());
}

Shape shape_of_operand(const Computation& in, const Instruction& one, std::size_t operand) {
  const bool some = operand < one.operands.size();
  const Instruction* const found = some ? in.find(one.operands[operand]) : nullptr;
  return found == nullptr ? Shape() : shape_of(found->type);
}

}  // namespace

Shape shape_of(const ArrayType& array) {
  const std::vector<std::int64_t>& extents = array.extents;
  const std::size_t rank = std::min<std::size_t>(extents.size(), Shape::max_rank);
  return Shape(std::span<const std::int64_t>(extents).first(rank));
}
Shape shape_of(const ResultType& type) {
  return type.arrays.empty() ? Shape{} : shape_of(type.arrays[0]);
}

bool lays_beside(const Instruction& one) {
  constexpr std::array<std::string_view, 3> words{"concatenate", "pad", "dynamic-update-slice"};
  return std::ranges::find(words, one.opcode) != words.end();
}

bool lies_apart(const Computation& in, const Instruction& one, std::size_t operand) {
  if (!lays_beside(one) || one.opcode == "concatenate") return false;
  return is_one_of_more(shape_of_operand(in, one, operand), shape_of(one.type));
}

int axis_in_result(const Computation& in, const Instruction& one, std::size_t operand, int axis) {
  const Shape from = shape_of_operand(in, one, operand);
  const Shape to = shape_of(one.type);
  if (lays_beside(one)) return axis_when_laid(from, axis, to);
  if (axis < 0 || axis >= from.rank()) return summed_rows;
  int found = axis;
  if (one.opcode == "dot")
    found = axis_in_product(one, operand, axis, shape_of_operand(in, one, 0).rank());
  if (one.opcode == "convolution") found = axis_in_convolution(one, operand, axis);
  if (one.opcode == "transpose") found = place_of(numbers_in(one.find("dimensions")), axis);
  if (one.opcode == "reduce") found = axis_when_reduced(numbers_in(one.find("dimensions")), axis);
  if (one.opcode == "reshape") found = axis_when_reshaped(from, axis, to);
  if (one.opcode == "bitcast") found = axis_in_bitcast(from, axis, to);
  if (one.opcode == "broadcast") {
    const Numbers axes = numbers_in(one.find("dimensions"));
    const auto at = static_cast<std::size_t>(axis);
    found = at < axes.size() ? static_cast<int>(std::min<std::int64_t>(axes[at], to.rank()))
                             : summed_rows;
  }
  const bool reshapes = one.opcode == "reshape" || one.opcode == "bitcast";
  const bool there = found >= 0 && found < to.rank();
  return there && (reshapes || to[found] == from[axis]) ? found : summed_rows;
}

}  // namespace tpulab::hlo
