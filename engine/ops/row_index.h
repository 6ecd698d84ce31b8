// Labels and indices as they come in arrays: checked before they are used.
#pragma once

#include <cstdint>
#include <string_view>

namespace tpulab {

// `value` as an index into [0, count). Throws Error naming the op, the value and the range.
std::int64_t checked_index(std::string_view op, float value, std::int64_t count);

}  // namespace tpulab
