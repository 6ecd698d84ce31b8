// Errors of predictions in a few numbers.
#pragma once

#include <string>
#include <vector>

namespace tpulab {

struct ErrorSummary {
  int count = 0;
  double mean = 0;  // of absolute errors, as fractions
  double median = 0;
  double p90 = 0;  // nine of ten are at most so large
  double kendall_tau = 0;
};

struct RankedPair {
  std::string group;  // only pairs of one group are compared
  double predicted = 0;
  double measured = 0;
  double noise = 0;  // relative; values within it of each other have no order
};

// Between neighbours in order, the value at `share` of the way; 0 of none.
double quantile(std::vector<double> values, double share);
// (concordant - discordant) / pairs, over all groups; pairs that the measurements do not tell apart
// are left out; 0 without a pair.
double kendall_tau(const std::vector<RankedPair>& pairs);
ErrorSummary summary_of(const std::vector<double>& errors, const std::vector<RankedPair>& pairs);

}  // namespace tpulab
