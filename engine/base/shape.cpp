#include "engine/base/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"

namespace tpulab {

Shape::Shape(std::initializer_list<std::int64_t> extents)
    : Shape(std::span(extents.begin(), extents.size())) {}

Shape::Shape(std::span<const std::int64_t> extents) {
  expects(extents.size() <= max_rank, "an array has at most six axes");
  for (const std::int64_t extent : extents) {
    expects(extent >= 0, "an extent is not negative");
    extents_[static_cast<std::size_t>(rank_++)] = extent;
  }
}

std::int64_t Shape::at(int axis) const {
  const int index = axis < 0 ? rank_ + axis : axis;
  return index >= 0 && index < rank_ ? (*this)[index] : 1;
}

std::int64_t Shape::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents()) product *= extent;
  return product;
}

std::string text_of(DType dtype, const Shape& shape) {
  return fmt::format("{}[{}]", name_of(dtype), fmt::join(shape.extents(), ","));
}

}  // namespace tpulab
