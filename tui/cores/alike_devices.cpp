#include "tui/cores/alike_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"

namespace tpulab {

namespace {

bool do_the_same(const CoreView& a, const CoreView& b) {
  return a.used == b.used && a.shares == b.shares && a.duty_cycle == b.duty_cycle &&
         a.utilisation == b.utilisation && a.hbm_used == b.hbm_used && a.wait == b.wait;
}

// In a synchronous step those that wait least are the ones the others wait for.
void mark_slow(std::vector<AlikeDevices>& groups) {
  constexpr double least_difference = 0.001;  // of the time; below that nobody would notice
  AlikeDevices* least = nullptr;
  double most = 0;
  for (AlikeDevices& group : groups) {
    if (!group.each.used) continue;
    if (!least || wait_share(group.each) < wait_share(least->each)) least = &group;
    most = std::max(most, wait_share(group.each));
  }
  if (least && most - wait_share(least->each) > least_difference) least->slow = true;
}

// "host 1" for all of its devices and no others, else empty.
std::string host_of(const std::vector<int>& devices, int per_host) {
  if (per_host <= 1 || static_cast<int>(devices.size()) != per_host) return {};
  if (devices.front() % per_host != 0 || devices.back() - devices.front() != per_host - 1)
    return {};
  return fmt::format(" (host {})", devices.front() / per_host);
}

bool in_a_row(const std::vector<int>& devices) {
  return devices.back() - devices.front() + 1 == static_cast<int>(devices.size());
}

}  // namespace

double wait_share(const CoreView& core) { return core.shares[index_of(Share::collective_wait)]; }

std::vector<AlikeDevices> alike_devices(std::span<const CoreView> cores) {
  std::vector<AlikeDevices> groups;
  for (const CoreView& core : cores) {
    auto group = std::ranges::find_if(
        groups, [&core](const AlikeDevices& known) { return do_the_same(known.each, core); });
    if (group == groups.end()) group = groups.insert(group, {{}, core, false});
    group->devices.push_back(core.index);
  }
  mark_slow(groups);
  std::ranges::stable_sort(groups, [](const AlikeDevices& a, const AlikeDevices& b) {
    if (a.slow != b.slow) return a.slow;
    if (a.each.used != b.each.used) return a.each.used;
    return a.devices.size() > b.devices.size();
  });
  return groups;
}

bool devices_differ(const Snapshot& now) {
  constexpr std::size_t alike_lanes = 2;  // the host's and that of all devices
  const auto used = std::ranges::count_if(now.cores, &CoreView::used);
  return now.strip.lanes.size() > alike_lanes || (used > 0 && used < std::ssize(now.cores));
}

std::vector<int> slow_devices(std::span<const CoreView> cores) {
  const std::vector<AlikeDevices> groups = alike_devices(cores);
  if (groups.empty() || !groups.front().slow) return {};
  return groups.front().devices;
}

bool has_slow_link(const AlikeDevices& group, const RunView& run) {
  return run.slow_link >= 0 &&
         std::ranges::binary_search(group.devices, run.slow_link * run.torus.devices_per_chip);
}

std::string name_of(const AlikeDevices& group, std::size_t groups, const RunView& run) {
  const std::vector<int>& devices = group.devices;
  const auto count = static_cast<std::int64_t>(devices.size());
  if (count == 1) return fmt::format("{} {}", run.device, devices.front());
  const std::string number = text_with_commas(count);
  if (groups == 1) return fmt::format("{} {}s", number, run.device);
  const bool all_of_a_host = !host_of(devices, run.devices_per_host).empty();
  if (!group.slow && !all_of_a_host) return fmt::format("{} other {}s", number, run.device);
  if (!in_a_row(devices)) return fmt::format("{} {}s", number, run.device);
  return fmt::format("{}s {}-{}{}", run.device, devices.front(), devices.back(),
                     host_of(devices, run.devices_per_host));
}

std::string title_of(const AlikeDevices& group, std::size_t groups, const RunView& run) {
  const std::string name = name_of(group, groups, run);
  if (!group.each.used) return name + " (off)";
  if (group.slow) return name + ", straggler";
  if (has_slow_link(group, run))
    return fmt::format("{}, links of chip {} slow", name, run.slow_link);
  return group.devices.size() > 1 ? name + ", identical" : name;
}

WaitWords wait_of(const AlikeDevices& group, std::span<const AlikeDevices> groups,
                  const RunView& run) {
  if (group.each.used && has_slow_link(group, run) && !run.slow.empty() && !run.slow.hidden) {
    const std::string time = text_of(run.slow.costs);
    // No wait for a slower device: the share is that of the transfer.
    return {fmt::format("all exchange {} a step longer", time), "exchange " + time + " longer"};
  }
  if (groups.empty() || !groups.front().slow || !group.each.used) return {};
  Picoseconds longest{};
  for (const AlikeDevices& other : groups) longest = std::max(longest, other.each.wait);
  const Picoseconds own = group.slow ? longest - group.each.wait : group.each.wait;
  const std::string time = own.count() > 0 ? " " + text_of(own) : "";
  const std::string a_step = time.empty() ? "" : time + " a step";
  return group.slow ? WaitWords{"the others wait" + a_step, "others wait" + time}
                    : WaitWords{"wait" + a_step, "wait" + time};
}

}  // namespace tpulab
