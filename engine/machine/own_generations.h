// Generations of the user's own: a file slices.d/NAME.toml says which one it is like and what
// differs. Their names begin with "yours:", so that every answer that names the machine says so.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine/generation.h"

namespace tpulab {

inline constexpr std::string_view own_mark = "yours:";

// Reads NAME.toml of each folder's slices.d; folders that count less come first, and a later file
// of the same name takes the place of an earlier one. Answers why files were left out, one line
// each, "FILE:LINE: what"; never throws for what a file holds. What was read before is forgotten,
// and stays valid for slices that have it.
std::vector<std::string> read_own_generations(std::span<const std::filesystem::path> folders);

// As they were read last; from any thread.
std::span<const Generation> own_generations();
// What the file of one says, as it was read last.
struct OwnMachine {
  std::string name;  // "yours:mine"
  std::string file;
  std::string says;  // "base v6e, hbm 64 GiB"
};
std::optional<OwnMachine> own_machine(std::string_view generation);  // none of a built-in one

std::string_view without_mark(std::string_view name);
// Why there is none of that name though there is a file of it: the first complaint about that, or
// that it was written after the start. Empty if there is no such file.
std::string why_no_machine(std::string_view name);
// With or without the mark, or as it is called elsewhere; null if there is none of that name, built
// in or own.
const Generation* find_generation(std::string_view name);

}  // namespace tpulab
