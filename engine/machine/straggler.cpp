#include "engine/machine/straggler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr double largest_factor = 100;

struct Kind {
  std::string_view word;
  StragglerKind kind;
  std::string_view what;
  int (*count)(const Slice& slice);
};

const Kind* find_kind(std::string_view word) {
  static constexpr std::array<Kind, 3> kinds{{
      {"host", StragglerKind::host, "host", [](const Slice& slice) { return slice.hosts; }},
      {"core", StragglerKind::core, "core", [](const Slice& slice) { return slice.devices(); }},
      {"link", StragglerKind::link, "linked chip",
       [](const Slice& slice) { return slice.chips > 1 ? slice.chips : 0; }},
  }};
  return find_row(kinds, word, &Kind::word);
}

Straggler straggler_named(std::string_view text, const Slice& slice) {
  const std::vector<std::string> words = split(text, ':');
  const Kind* kind = words.size() == 3 ? find_kind(words[0]) : nullptr;
  const auto index = kind == nullptr ? std::nullopt : number_in<int>(words[1]);
  const auto factor = kind == nullptr ? std::nullopt : number_in<double>(words[2]);
  if (!index || !factor) {
    throw Error(
        fmt::format("a straggler is host:INDEX:FACTOR, core:INDEX:FACTOR or link:INDEX:FACTOR, not "
                    "'{}'; try host:0:1.4",
                    text));
  }
  const Straggler straggler{.kind = kind->kind, .index = *index, .factor = *factor};
  const int count = kind->count(slice);
  if (straggler.index < 0 || straggler.index >= count) {
    const std::string_view what =
        kind->kind == StragglerKind::core ? slice.device_word() : kind->what;
    throw Error(fmt::format("{} has {} {}{}; there is no {} {}", slice.name, count, what,
                            count == 1 ? "" : "s", what, straggler.index));
  }
  if (!(straggler.factor >= 1 && straggler.factor <= largest_factor)) {
    throw Error(
        fmt::format("a straggler takes 1 to {:g} times as long, not {}", largest_factor, words[2]));
  }
  return straggler;
}

bool is_felt(const Straggler& part, const Machine& machine) {
  if (part.kind == StragglerKind::link) return machine.world() > 1;
  return std::ranges::any_of(machine.devices, [&](int device) {
    return part.index ==
           (part.kind == StragglerKind::host ? device / machine.slice.devices_per_host() : device);
  });
}

}  // namespace

std::vector<Straggler> stragglers_named(std::string_view text, const Slice& slice) {
  if (text.empty() || text == "none") return {};
  return {straggler_named(text, slice)};
}

double slowness_of_links(const Machine& machine) {
  const Straggler* const slow = slowest_link(machine);
  return slow != nullptr ? slow->factor : 1;
}

const Straggler* slowest_link(const Machine& machine) {
  const Straggler* slowest = nullptr;
  for (const Straggler& one : machine.stragglers) {
    if (one.kind != StragglerKind::link) continue;
    if (slowest == nullptr || one.factor > slowest->factor) slowest = &one;
  }
  return slowest;
}

const Straggler* slowest_part(const Machine& machine) {
  const Straggler* slowest = nullptr;
  for (const Straggler& part : machine.stragglers) {
    if (part.factor <= 1 || !is_felt(part, machine)) continue;
    if (slowest == nullptr || part.factor > slowest->factor) slowest = &part;
  }
  return slowest;
}

std::string name_of(const Straggler& part, const Slice& slice) {
  switch (part.kind) {
    case StragglerKind::host:
      return fmt::format("host {}", part.index);
    case StragglerKind::core:
      return fmt::format("{} {}", slice.device_word(), part.index);
    case StragglerKind::link:
      break;
  }
  return fmt::format("links of chip {}", part.index);
}

std::string text_of(const Straggler& part, const Machine& machine) {
  const bool links = part.kind == StragglerKind::link;
  const bool others = links || device_groups(machine).size() > 1;
  return fmt::format("{} take{} {:.3g}x as long as {}", name_of(part, machine.slice),
                     links ? "" : "s", part.factor, others ? "the others" : "its like");
}

std::vector<DeviceGroup> device_groups(const Machine& machine) {
  if (machine.stragglers.empty()) return {{machine.devices}};
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
