// What bash, zsh and fish offer at Tab after `tpulab`: the program's own options, and after -c the
// commands and settings of the tables.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct ShellOption {
  std::vector<std::string> names;  // "-c", "--command"; a word without dashes is a subcommand
  std::string help;
  bool takes_value = false;
  std::vector<std::string> values;    // to choose from; empty: a file
  std::vector<ShellOption> own = {};  // of a subcommand: what it takes in place of the others
};

// The completion file for `shell`. Values that a shell might not take as they are (a theme is named
// as its file is) are left out. Throws Error if it is none of bash, zsh and fish.
std::string shell_completion(std::string_view shell, std::span<const ShellOption> options);

}  // namespace tpulab
