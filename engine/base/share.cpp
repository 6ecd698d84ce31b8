#include "engine/base/share.h"

namespace tpulab {

std::string_view name_of(Share share) {
  static constexpr std::array<std::string_view, share_count> names{"compile",
                                                                   "host tracing",
                                                                   "dispatch",
                                                                   "input",
                                                                   "transfer",
                                                                   "read-back",
                                                                   "CPU fallback",
                                                                   "idle",
                                                                   "compute",
                                                                   "HBM-bound",
                                                                   "collective transfer",
                                                                   "collective wait",
                                                                   "offload"};
  return names[index_of(share)];
}

}  // namespace tpulab
