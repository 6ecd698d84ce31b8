#include "engine/ops/axis_runs.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

AxisRuns runs_along(const Shape& shape, int axis) {
  AxisRuns runs{.depth = shape[axis]};
  for (int outer = 0; outer < axis; ++outer) runs.outer *= shape[outer];
  for (int inner = axis + 1; inner < shape.rank(); ++inner) runs.inner *= shape[inner];
  return runs;
}

void check_axis(std::string_view op, const Type& x, int axis) {
  if (axis >= 0 && axis < x.shape.rank()) return;
  throw Error(fmt::format("{}: {} has no axis {}; give 0 to {}", op, text_of(x.dtype, x.shape),
                          axis, x.shape.rank() - 1));
}

}  // namespace tpulab
