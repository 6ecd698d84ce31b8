// What a session begins with: config.toml of the site and of the user over what is built in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

struct Config {
  Settings settings;
  std::string theme = "auto";
  bool history = true;                       // runs and typed lines are kept
  std::vector<std::string> complaints = {};  // "FILE:LINE: what"; that value stays as it was
};

// Files that count less come first; those that are not there count nothing. Never throws for what
// a file holds, and never stops at it.
Config read_config(Config built_in, const std::vector<std::filesystem::path>& files);
// The site's folders, then the user's.
std::vector<std::filesystem::path> config_folders();
// config.toml of the site's folders, then of the user's.
std::vector<std::filesystem::path> config_files();

// A config.toml with every key and what it takes; those that are as built in are commented out.
std::string config_text(const Config& config);

}  // namespace tpulab
