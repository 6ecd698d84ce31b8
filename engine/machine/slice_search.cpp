#include "engine/machine/slice_search.h"

namespace tpulab {

std::optional<Slice> slice_with(std::int64_t devices, const Generation& generation) {
  std::optional<Slice> found;
  for (const std::string& name : slice_names()) {
    const Slice slice = slice_named(name);
    if (slice.devices() != devices) continue;
    if (slice.generation == &generation) return slice;
    if (!found) found = slice;
  }
  return found;
}

}  // namespace tpulab
