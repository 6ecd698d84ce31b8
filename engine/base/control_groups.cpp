#include "engine/base/control_groups.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 65536;

// A container may see its own group as the topmost one: folders that are not there limit nothing.
void add_upwards(std::vector<ControlGroup>& groups, const fs::path& mount, const std::string& group,
                 bool version_2) {
  fs::path below = fs::path(group).relative_path();
  while (true) {
    groups.push_back({mount / below, version_2});
    if (below.empty()) return;
    below = below.parent_path();
  }
}

}  // namespace

std::vector<ControlGroup> control_groups(const fs::path& root, std::string_view controller) {
  std::vector<ControlGroup> groups;
  for (const std::string& line : split(limit_text(root / "proc/self/cgroup"), '\n')) {
    const std::vector<std::string> parts = split(line, ':');  // number:controllers:path
    if (parts.size() != 3) continue;
    const bool version_2 = parts[1].empty();
    const std::vector<std::string> controllers = split(parts[1], ',');
    if (!version_2 && std::ranges::find(controllers, controller) == controllers.end()) continue;
    add_upwards(groups, root / "sys/fs/cgroup" / parts[1], parts[2], version_2);
  }
  return groups;
}

std::string limit_text(const fs::path& file) {
  try {
    return read_file_if_there(file, most_bytes).value_or("");
  } catch (const Error&) {
    return "";
  }
}

}  // namespace tpulab
