// The limits that Linux sets to this process and its like (containers, services).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct ControlGroup {
  std::filesystem::path folder;  // with the files of its limits
  bool version_2 = true;         // whose files have other names than those of version 1
};

// The groups of this process that `controller` ("cpu", "memory") may limit, and all that they are
// part of. `root` is "/", or a copy of a computer's files.
std::vector<ControlGroup> control_groups(const std::filesystem::path& root,
                                         std::string_view controller);

// A file of a group; empty if it cannot be read, for what cannot be read sets no limit.
std::string limit_text(const std::filesystem::path& file);

}  // namespace tpulab
