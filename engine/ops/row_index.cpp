#include "engine/ops/row_index.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

std::int64_t checked_index(std::string_view op, float value, std::int64_t count) {
  if (value >= 0 && value < static_cast<float>(count)) return static_cast<std::int64_t>(value);
  throw Error(
      fmt::format("{}: index {} is outside 0 to {}; check the labels or the number of "
                  "classes",
                  op, value, count - 1));
}

}  // namespace tpulab
