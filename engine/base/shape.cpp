#include "engine/base/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

namespace {

// Beyond what any machine holds; its bytes on all devices can still be counted.
constexpr std::int64_t most_elements = std::int64_t{1} << 48;

}  // namespace

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
  for (const std::int64_t extent : extents()) {
    if (__builtin_mul_overflow(product, extent, &product) || product > most_elements) {
      throw Error(fmt::format("an array [{}] has more than 2^48 elements; choose smaller sizes",
                              fmt::join(extents(), ",")));
    }
  }
  return product;
}

Shape Shape::of_rows(std::int64_t rows) const {
  expects(rank_ < max_rank, "an array has at most six axes");
  Shape all;
  all.extents_[0] = rows;
  std::copy_n(extents_.begin(), rank_, all.extents_.begin() + 1);
  all.rank_ = rank_ + 1;
  return all;
}

std::string text_of(DType dtype, const Shape& shape) {
  return fmt::format("{}[{}]", name_of(dtype), fmt::join(shape.extents(), ","));
}

}  // namespace tpulab
