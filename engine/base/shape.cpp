#include "engine/base/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

Shape::Shape(std::initializer_list<std::int64_t> extents)
    : Shape(std::span(extents.begin(), extents.size())) {}

Shape::Shape(std::span<const std::int64_t> extents) {
  expects(extents.size() <= max_rank, "an array has at most eight axes");
  for (const std::int64_t extent : extents) {
    expects(extent >= 0, "an extent is not negative");
    extents_[static_cast<std::size_t>(rank_++)] = extent;
  }
}

void Shape::too_many() const {
  throw Error(fmt::format("an array [{}] has more than 2^48 elements; choose smaller sizes",
                          fmt::join(extents(), ",")));
}

Shape Shape::of_rows(std::int64_t rows) const {
  expects(rank_ < max_rank, "an array has at most eight axes");
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
