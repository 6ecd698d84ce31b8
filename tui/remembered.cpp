#include "tui/remembered.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"
#include "engine/base/xdg.h"

namespace tpulab {

std::optional<std::string> remembered(std::string_view name) {
  const auto folder = user_state_folder();
  if (!folder) return std::nullopt;
  try {
    const auto text = read_file_if_there(*folder / name, 1024);
    if (!text || trimmed(*text).empty()) return std::nullopt;
    return std::string(trimmed(*text));
  } catch (const Error&) {
    return std::nullopt;
  }
}

void remember(std::string_view name, std::string_view text) {
  const auto folder = user_state_folder();
  if (!folder) return;
  if (make_private_folders(*folder) != 0) return;
  try {
    write_file(*folder / name, std::string(text) + "\n");
  } catch (const Error&) {
    // Then it is asked or shown again.
  }
}

}  // namespace tpulab
