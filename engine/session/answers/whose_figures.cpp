#include "engine/session/answers/whose_figures.h"

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/machine/straggler.h"

namespace tpulab {

std::vector<std::string> whose_counters(const Machine& machine) {
  const int host =
      device_groups(machine).front().devices.front() / machine.slice.devices_per_host();
  std::vector<std::string> lines;
  for (const Straggler& slow : machine.stragglers) {
    if (slow.kind != StragglerKind::host || slow.index == host) continue;
    lines.push_back(
        fmt::format("as host {} counts it: {}, compiles included", host, text_of(slow, machine)));
  }
  return lines;
}

std::string whose_shares(const Machine& machine) {
  const std::vector<DeviceGroup> groups = device_groups(machine);
  if (groups.size() == 1) return {};
  const std::vector<int>& most = groups.front().devices;
  const std::string_view word = machine.slice.device_word();
  return fmt::format(
      "shares are those of {} {}, as of {} in all: what these wait for others, compiles too, is "
      "collective wait",
      word, most.front(), count_with(std::ssize(most), word));
}

}  // namespace tpulab
