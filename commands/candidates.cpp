#include "commands/candidates.h"

#include <fmt/format.h>

namespace tpulab {

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const SettingRow& row : setting_rows()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> value_candidates(std::string_view name, const Settings& settings) {
  const SettingRow* row = find_setting(name);
  return row != nullptr && row->choices ? row->choices(settings) : std::vector<std::string>();
}

std::vector<std::string> assignment_candidates(const Settings& settings) {
  std::vector<std::string> candidates;
  for (const SettingRow& row : setting_rows()) {
    candidates.push_back(fmt::format("{}=", row.name));
    if (!row.choices) continue;
    for (const std::string& value : row.choices(settings)) {
      candidates.push_back(fmt::format("{}={}", row.name, value));
    }
  }
  return candidates;
}

}  // namespace tpulab
