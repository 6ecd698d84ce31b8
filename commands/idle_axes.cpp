#include "commands/idle_axes.h"

#include <fmt/format.h>

#include <map>

#include "engine/session/settings/no_effect.h"

namespace tpulab {

std::vector<std::string> idle_axes(const std::vector<Axis>& axes,
                                   const std::vector<const Settings*>& rows) {
  constexpr std::size_t most_asked = 1'000;
  std::vector<std::string> lines;
  for (const Axis& axis : axes) {
    std::map<std::string, std::size_t> reasons;
    for (const Settings* row : rows) {
      ++reasons[no_effect(*row, axis.name)];
      if (reasons.contains("") && rows.size() > most_asked) break;
    }
    if (reasons.erase("") > 0 && rows.size() > most_asked) continue;
    for (const auto& [reason, times] : reasons) {
      const std::string where =
          times == rows.size() ? "" : fmt::format(", in {} of {} rows", times, rows.size());
      lines.push_back(fmt::format("{}: {}{}", axis.name, reason, where));
    }
  }
  return lines;
}

}  // namespace tpulab
