// The commands of a file, those of the files that it sources in their places.
#pragma once

#include <string>
#include <vector>

#include "commands/command.h"

namespace tpulab {

inline constexpr int deepest_source = 16;
inline constexpr int most_source_files = 1'000;
inline constexpr std::size_t most_sourced = 100'000;  // commands

// Throws Error for a file that cannot be read, one that sources itself (with the way there) and for
// more commands than anybody writes; nothing is run then.
std::vector<SourcedCommand> sourced(const std::string& file);

}  // namespace tpulab
