#include "engine/base/error.h"

#include <fmt/format.h>

namespace tpulab {

void expects(bool condition, const char* what_must_hold, std::source_location where) {
  if (condition) return;
  throw std::logic_error(fmt::format("bug in tpulab: {} ({}:{}); please report it", what_must_hold,
                                     where.file_name(), where.line()));
}

}  // namespace tpulab
