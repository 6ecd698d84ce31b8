#include "tui/cores/core_views.h"

#include <algorithm>

#include "tui/draw/widgets.h"

namespace tpulab {

Shares mean_shares(std::span<const CoreView> cores) {
  Shares mean{};
  int used = 0;
  for (const CoreView& core : cores) {
    if (!core.used) continue;
    ++used;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += core.shares[i];
  }
  for (double& share : mean) share /= std::max(1, used);
  return mean;
}

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
