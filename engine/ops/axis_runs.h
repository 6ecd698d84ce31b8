// An array seen around one axis: `outer` blocks of `depth` runs of `inner` elements.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/graph/op.h"

namespace tpulab {

struct AxisRuns {
  std::int64_t outer = 1;
  std::int64_t depth = 1;
  std::int64_t inner = 1;

  std::int64_t block() const { return depth * inner; }
};
AxisRuns runs_along(const Shape& shape, int axis);

// Throws Error naming `op` if `x` has no such axis.
void check_axis(std::string_view op, const Type& x, int axis);

}  // namespace tpulab
