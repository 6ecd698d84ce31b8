#include "tui/core_views.h"

#include <algorithm>

#include "tui/widgets.h"

namespace tpulab {

Share largest_other(const Shares& shares) {
  Share largest = Share::idle;
  for (int i = 0; i < share_count; ++i) {
    const auto share = static_cast<Share>(i);
    if (share == Share::compute) continue;
    if (shares[static_cast<std::size_t>(i)] > shares[static_cast<std::size_t>(largest)]) {
      largest = share;
    }
  }
  return largest;
}

int straggler(std::span<const CoreView> cores) {
  constexpr double least_difference = 0.05;  // of the time; below that nobody would notice
  const auto wait = [](const CoreView& core) {
    return core.shares[static_cast<std::size_t>(Share::collective_wait)];
  };
  const CoreView* least = nullptr;
  const CoreView* most = nullptr;
  for (const CoreView& core : cores) {
    if (!core.used) continue;
    if (!least || wait(core) < wait(*least)) least = &core;
    if (!most || wait(core) > wait(*most)) most = &core;
  }
  return least && wait(*most) - wait(*least) > least_difference ? least->index : -1;
}

double duty_scale(std::span<const CoreView> cores) {
  double largest = 0;
  for (const CoreView& core : cores) {
    if (!core.used) continue;
    largest = std::max(largest, core.duty_cycle);
    for (const float value : core.history) largest = std::max(largest, static_cast<double>(value));
  }
  return std::min(1.0, round_top(largest));
}

}  // namespace tpulab
