#include "engine/ops/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

namespace {

bool fits(Part part, const Shape& shape, const Shape& whole) {
  if (part == Part::whole) return shape == whole;
  if (part == Part::row) return shape == without_last(whole);
  return shape == Shape{whole.at(-1)};
}

}  // namespace

Shape without_last(const Shape& shape) {
  return Shape(shape.extents().first(static_cast<std::size_t>(std::max(shape.rank() - 1, 0))));
}

void check_parts(std::string_view op, std::span<const Part> parts, std::span<const Type> inputs) {
  const Shape& whole = inputs[0].shape;
  bool good = !whole.scalar();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    good = good && fits(parts[i], inputs[i].shape, whole);
  }
  if (good) return;
  std::string shapes;
  for (const Type& input : inputs) shapes += " " + text_of(input.dtype, input.shape);
  throw Error(fmt::format("{}: the shapes{} do not fit; give [..,n] and vectors [n]", op, shapes));
}

Stack stack_of_parts(std::span<const Part> parts, std::span<const Stack> inputs,
                     std::span<const Type> types) {
  const auto is_shared = [](Stack input) { return input == Stack::shared; };
  if (std::ranges::all_of(inputs, is_shared)) return Stack::shared;
  if (types[0].shape.rank() < 2) return Stack::none;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Stack wanted = parts[i] == Part::column ? Stack::shared : Stack::rows;
    if (inputs[i] != wanted) return Stack::none;
  }
  return Stack::rows;
}

}  // namespace tpulab
