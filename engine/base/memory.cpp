#include "engine/base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/control_groups.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

// Version 2 says "max" for no limit, version 1 a number beyond every computer's memory.
std::optional<std::int64_t> limit_in(const ControlGroup& group) {
  const std::string file =
      limit_text(group.folder / (group.version_2 ? "memory.max" : "memory.limit_in_bytes"));
  const auto bytes = number_in<std::int64_t>(trimmed(file));
  return bytes && *bytes > 0 ? bytes : std::nullopt;
}

}  // namespace

std::optional<Bytes> memory_limit(const std::filesystem::path& root) {
  std::optional<Bytes> least;
  for (const ControlGroup& group : control_groups(root, "memory")) {
    const auto bytes = limit_in(group);
    if (bytes) least = Bytes{std::min(least ? least->value : *bytes, *bytes)};
  }
  return least;
}

Bytes available_memory() {
  const std::int64_t all = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  const auto limit = memory_limit("/");
  return Bytes{limit ? std::min(all, limit->value) : all};
}

}  // namespace tpulab
