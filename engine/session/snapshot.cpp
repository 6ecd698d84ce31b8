#include "engine/session/snapshot.h"

#include <array>

#include "engine/base/error.h"

namespace tpulab {

std::string_view name_of(RunState state) {
  static constexpr std::array<std::string_view, 6> names{"no run",   "training", "paused",
                                                         "finished", "stopped",  "failed"};
  const auto row = static_cast<std::size_t>(state);
  expects(row < names.size(), "a run state is one of the enum");
  return names[row];
}

}  // namespace tpulab
