#include "engine/graph/array.h"

#include <utility>

#include "engine/base/error.h"

namespace tpulab {

Array::Array(Shape shape, std::vector<float> values, DType dtype)
    : shape_(shape), dtype_(dtype), values_(std::move(values)) {
  expects(static_cast<std::int64_t>(values_.size()) == shape.elements(), "values fill the shape");
}

void round_to(DType dtype, std::span<float> values) {
  if (dtype != DType::bf16) return;
  for (float& value : values) value = rounded_to_bf16(value);
}

}  // namespace tpulab
