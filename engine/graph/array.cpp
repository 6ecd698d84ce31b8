#include "engine/graph/array.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/base/instruction_set.h"

namespace tpulab {

Array::Array(Shape shape, std::vector<float> values, DType dtype)
    : shape_(shape), dtype_(dtype), values_(std::move(values)) {
  expects(static_cast<std::int64_t>(values_.size()) == shape.elements(), "values fill the shape");
}

void round_to(DType dtype, std::span<float> values) {
  if (dtype != DType::bf16) return;
  float* const data = values.data();
  const auto round = [data](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) data[i] = rounded_to_bf16(data[i]);
  };
  run_wide(round, 0, static_cast<std::int64_t>(values.size()));
}

}  // namespace tpulab
