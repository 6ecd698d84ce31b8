#include "engine/session/snapshot.h"

#include "engine/base/error.h"

namespace tpulab {

std::string_view name_of(Share share) {
  static constexpr std::array<std::string_view, share_count> names{
      "compile",   "host tracing",        "input",          "transfer",
      "read-back", "CPU fallback",        "idle",           "compute",
      "HBM-bound", "collective transfer", "collective wait"};
  const auto row = static_cast<std::size_t>(share);
  expects(row < names.size(), "a share is one of the enum");
  return names[row];
}

bool inside_program(Share share) { return share >= Share::compute; }

std::string_view name_of(RunState state) {
  static constexpr std::array<std::string_view, 6> names{"no run",   "training", "paused",
                                                         "finished", "stopped",  "failed"};
  const auto row = static_cast<std::size_t>(state);
  expects(row < names.size(), "a run state is one of the enum");
  return names[row];
}

}  // namespace tpulab
