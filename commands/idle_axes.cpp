#include "commands/idle_axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "engine/session/settings/no_effect.h"

namespace tpulab {

namespace {

// Estimates are of time.
std::string without_effect_on_time(const Settings& settings, const Axis& axis) {
  std::string none = no_effect(settings, axis.name);
  if (!none.empty() || axis.name != "learning_rate") return none;
  return fmt::format(
      "changes what is learned and no time: `run learning_rate={}` and `compare "
      "last` tell",
      axis.values.front());
}

}  // namespace

std::vector<std::string> idle_axes(const std::vector<Axis>& axes,
                                   const std::vector<const Settings*>& rows) {
  constexpr std::size_t most_asked = 1'000;
  // Axes that one reason holds back in as many rows are told together.
  std::map<std::pair<std::string, std::size_t>, std::vector<std::string>> told;
  for (const Axis& axis : axes) {
    std::map<std::string, std::size_t> reasons;
    for (const Settings* row : rows) {
      ++reasons[without_effect_on_time(*row, axis)];
      if (reasons.contains("") && rows.size() > most_asked) break;
    }
    if (reasons.erase("") > 0 && rows.size() > most_asked) continue;
    for (const auto& why : reasons) told[why].push_back(axis.name);
  }
  std::vector<std::string> lines;
  for (const auto& [why, names] : told) {
    const auto& [reason, times] = why;
    const std::string where =
        times == rows.size() ? "" : fmt::format(", in {} of {} rows", times, rows.size());
    lines.push_back(fmt::format("{}: {}{}", fmt::join(names, ", "), reason, where));
  }
  return lines;
}

}  // namespace tpulab
