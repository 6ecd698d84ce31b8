#include "engine/machine/straggler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr double largest_factor = 100;

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Straggler straggler_named(std::string_view text, const Slice& slice) {
  const std::vector<std::string> words = split(text, ':');
  Straggler straggler;
  const bool known = words.size() == 3 && (words[0] == "host" || words[0] == "core");
  if (!known || !parse(words[1], straggler.index) || !parse(words[2], straggler.factor)) {
    throw Error(fmt::format(
        "a straggler is host:INDEX:FACTOR or core:INDEX:FACTOR, not '{}'; try host:0:1.4", text));
  }
  straggler.kind = words[0] == "host" ? StragglerKind::host : StragglerKind::core;
  const int count = straggler.kind == StragglerKind::host ? slice.hosts : slice.devices();
  if (straggler.index < 0 || straggler.index >= count) {
    throw Error(fmt::format("{} has {} {}{}; there is no {} {}", slice.name, count, words[0],
                            count == 1 ? "" : "s", words[0], straggler.index));
  }
  if (!(straggler.factor >= 1 && straggler.factor <= largest_factor)) {
    throw Error(
        fmt::format("a straggler takes 1 to {:g} times as long, not {}", largest_factor, words[2]));
  }
  return straggler;
}

}  // namespace

std::vector<Straggler> stragglers_named(std::string_view text, const Slice& slice) {
  if (text.empty() || text == "none") return {};
  return {straggler_named(text, slice)};
}

std::vector<DeviceGroup> device_groups(const Machine& machine) {
  std::map<std::pair<double, double>, std::vector<int>> by_factors;
  for (const int device : machine.devices) {
    double host_factor = 1;
    double device_factor = 1;
    for (const Straggler& straggler : machine.stragglers) {
      const bool its_host = straggler.kind == StragglerKind::host &&
                            device / machine.slice.devices_per_host() == straggler.index;
      const bool itself = straggler.kind == StragglerKind::core && device == straggler.index;
      if (its_host) host_factor *= straggler.factor;
      if (itself) device_factor *= straggler.factor;
    }
    by_factors[{host_factor, device_factor}].push_back(device);
  }
  std::vector<DeviceGroup> groups;
  groups.reserve(by_factors.size());
  for (auto& [factors, devices] : by_factors) {
    groups.push_back({std::move(devices), factors.first, factors.second});
  }
  std::ranges::stable_sort(groups, [](const DeviceGroup& a, const DeviceGroup& b) {
    return a.devices.size() > b.devices.size();
  });
  if (groups.empty()) groups.emplace_back();
  return groups;
}

}  // namespace tpulab
