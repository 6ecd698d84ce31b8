#include "commands/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/session/answers/machine_words.h"
#include "engine/session/settings/own_machines.h"

namespace tpulab {

namespace {

// "2x" of "2xv3-8".
std::string_view joining(std::string_view name) {
  const std::size_t x = std::min(name.find_first_not_of("0123456789"), name.size());
  return x > 0 && x < name.size() && name[x] == 'x' ? name.substr(0, x + 1) : std::string_view();
}

}  // namespace

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

std::vector<std::string> with_other_names(std::vector<std::string> candidates,
                                          std::string_view word) {
  const std::size_t start = word.rfind('=') + 1;  // behind "slice="
  const std::string_view value = word.substr(start);
  const std::string_view joined = joining(value);
  std::vector<std::string> slices;
  if (!joined.empty()) slices = slice_names();
  std::vector<std::string> others;
  for (const std::string& one : candidates) {
    if (value.empty() || !one.starts_with(word.substr(0, start))) continue;
    const std::string_view name = std::string_view(one).substr(start);
    const bool joins = std::ranges::find(slices, name) != slices.end();
    if (!joined.empty() && !joins) continue;
    const std::string before = fmt::format("{}{}", word.substr(0, start), joined);
    if (joins) others.push_back(fmt::format("{}{}", before, name));
    const bool begun = value.size() > joined.size();
    if (begun && name.starts_with(own_mark)) {
      others.push_back(fmt::format("{}{}", before, without_mark(name)));
    }
  }
  std::ranges::move(others, std::back_inserter(candidates));
  return candidates;
}

}  // namespace tpulab
