// What the file of a machine of the user's own says: its keys, their units, and the row it makes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/machine/generation.h"

namespace tpulab {

struct OwnMachineFile {
  std::optional<Generation> row;        // none where anything is wrong
  std::string says{};                   // "base v6e, hbm 64 GiB": alike of alike machines
  std::vector<std::string> complaints;  // "FILE:LINE: what"
};

// What stands for a constant in such files: "hbm_speed".
std::vector<std::string> machine_keys();
// Of a machine called `name`. Never throws for what the file holds.
OwnMachineFile read_own_machine(const std::filesystem::path& file, const std::string& name);

}  // namespace tpulab
