#include "engine/evidence/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tpulab {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], at - static_cast<double>(below));
}

double kendall_tau(const std::vector<RankedPair>& pairs) {
  double agreement = 0;
  double count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = i + 1; j < pairs.size(); ++j) {
      const double apart = std::abs(pairs[i].measured - pairs[j].measured);
      const double noise =
          std::max(pairs[i].noise * pairs[i].measured, pairs[j].noise * pairs[j].measured);
      if (pairs[i].group != pairs[j].group || apart <= noise) continue;
      const double product =
          (pairs[i].predicted - pairs[j].predicted) * (pairs[i].measured - pairs[j].measured);
      agreement += product > 0 ? 1 : product < 0 ? -1 : 0;
      count += 1;
    }
  }
  return count > 0 ? agreement / count : 0;
}

ErrorSummary summary_of(const std::vector<double>& errors, const std::vector<RankedPair>& pairs) {
  ErrorSummary summary{.count = static_cast<int>(errors.size())};
  std::vector<double> sizes;
  sizes.reserve(errors.size());
  for (const double error : errors) sizes.push_back(std::abs(error));
  if (!sizes.empty()) {
    summary.mean =
        std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(sizes.size());
  }
  summary.median = quantile(sizes, 0.5);
  summary.p90 = quantile(sizes, 0.9);
  summary.kendall_tau = kendall_tau(pairs);
  return summary;
}

}  // namespace tpulab
