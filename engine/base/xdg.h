// The folders of this user and of this computer, as the XDG base directory specification has them:
// a variable that is not an absolute path counts as not set, and nothing falls back to the current
// directory.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace tpulab {

// $XDG_CONFIG_HOME/tpulab, else ~/.config/tpulab; nothing without a home.
std::optional<std::filesystem::path> user_config_folder();
// $XDG_DATA_HOME/tpulab, else ~/.local/share/tpulab; nothing without a home.
std::optional<std::filesystem::path> user_data_folder();
// $XDG_STATE_HOME/tpulab, else ~/.local/state/tpulab; nothing without a home.
std::optional<std::filesystem::path> user_state_folder();
// The folders tpulab of $XDG_CONFIG_DIRS, else of /etc/xdg; what stands first counts most.
std::vector<std::filesystem::path> site_config_folders();

}  // namespace tpulab
