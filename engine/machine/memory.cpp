#include <algorithm>
#include <bit>

#include "engine/base/work.h"
#include "engine/machine/matrix_unit.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

// A division takes as long as all the rest: the multiple is a power of two.
std::int64_t padded_to(std::int64_t extent, std::int64_t multiple) {
  return (extent + multiple - 1) & -multiple;
}

}  // namespace

std::int64_t padded_rows(std::int64_t rows, DType dtype) {
  if (rows >= sublane_count) return padded_to(rows, sublane_count);
  const std::int64_t packed = std::max<std::int64_t>(1, 4 / bytes_of(dtype));
  return std::max<std::int64_t>(
      packed, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows))));
}

Bytes padded_bytes(const Shape& shape, DType dtype) {
  const std::int64_t elements = shape.elements();
  if (elements == 0) return {0};
  // XLA rewrites 64-bit integers as two words, each an array of its own.
  if (dtype == DType::s64) return {2 * padded_bytes(shape, DType::s32).value};
  const std::int64_t width = bytes_of(dtype);
  if (shape.rank() <= 1) return {padded_to(elements * width, lane_count * 4)};
  const std::int64_t rows = padded_rows(shape.at(-2), dtype);
  std::int64_t outer = 1;
  for (int axis = 0; axis < shape.rank() - 2; ++axis) outer *= shape[axis];
  return {outer * rows * padded_to(shape.at(-1), lane_count) * width};
}

}  // namespace tpulab
