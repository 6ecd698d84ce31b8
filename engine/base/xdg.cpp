#include "engine/base/xdg.h"

#include <cstdlib>
#include <string>

#include "engine/base/text.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> absolute_path(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value != '/') return std::nullopt;
  return fs::path(value);
}

std::optional<fs::path> user_folder(const char* variable, const char* below_home) {
  if (const auto given = absolute_path(variable)) return *given / "tpulab";
  if (const auto home = absolute_path("HOME")) return *home / below_home / "tpulab";
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> user_config_folder() { return user_folder("XDG_CONFIG_HOME", ".config"); }

std::optional<fs::path> user_data_folder() { return user_folder("XDG_DATA_HOME", ".local/share"); }

std::optional<fs::path> user_state_folder() {
  return user_folder("XDG_STATE_HOME", ".local/state");
}

std::vector<fs::path> site_config_folders() {
  const char* const given = std::getenv("XDG_CONFIG_DIRS");
  std::vector<fs::path> folders;
  for (const std::string& folder : split(given == nullptr ? "" : given, ':')) {
    if (folder.starts_with('/')) folders.push_back(fs::path(folder) / "tpulab");
  }
  if (folders.empty()) folders.emplace_back("/etc/xdg/tpulab");
  return folders;
}

}  // namespace tpulab
