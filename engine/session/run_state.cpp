#include "engine/session/snapshot.h"

namespace tpulab {

std::string_view name_of(RunState state) {
  static constexpr std::array<std::string_view, 6> names{"none",     "training", "paused",
                                                         "finished", "stopped",  "failed"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace tpulab
