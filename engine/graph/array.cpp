#include "engine/graph/array.h"

#include <bit>
#include <utility>

#include "engine/base/error.h"

namespace tpulab {

Array::Array(Shape shape, std::vector<float> values, DType dtype)
    : shape_(shape), dtype_(dtype), values_(std::move(values)) {
  expects(static_cast<std::int64_t>(values_.size()) == shape.elements(), "values fill the shape");
}

float rounded_to_bf16(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return std::bit_cast<float>(bits | 0x00400000u);  // quiet NaN
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return std::bit_cast<float>(bits & 0xffff0000u);
}

void round_to(DType dtype, std::span<float> values) {
  if (dtype != DType::bf16) return;
  for (float& value : values) value = rounded_to_bf16(value);
}

}  // namespace tpulab
