#include "commands/lessons/faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"

namespace tpulab {

void LessonFaults::set(Settings& settings, const std::string& typed) {
  const auto space = typed.find(' ');
  const SettingRow& row = setting_named(typed.substr(0, space));
  const std::string before = row.show(settings);
  change(settings, row.name, trimmed(std::string_view(typed).substr(space)));
  // A part that is played again sets it again.
  const auto known = std::ranges::find(before_, row.name, &Assignment::name);
  if (known == before_.end()) before_.push_back({std::string(row.name), before});
}

std::vector<std::string> LessonFaults::mend(Settings& settings) {
  std::vector<std::string> lines;
  for (const Assignment& fault : before_) {
    const std::string now = setting_named(fault.name).show(settings);
    if (now == fault.value) continue;
    lines.push_back(fmt::format("It was: {} {}", fault.name, now));
    change(settings, fault.name, fault.value);
  }
  before_.clear();
  return lines;
}

std::vector<std::string> LessonFaults::names() const {
  std::vector<std::string> names;
  for (const Assignment& fault : before_) names.push_back(fault.name);
  return names;
}

}  // namespace tpulab
