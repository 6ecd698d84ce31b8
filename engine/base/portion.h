// A part of things that are counted, as Lightning's limits of batches are given.
#pragma once

#include <cstdint>

namespace tpulab {

// So many, or a share of them.
struct Portion {
  std::int64_t count = -1;  // -1: the share counts
  double share = 1;
  bool operator==(const Portion&) const = default;

  std::int64_t of(std::int64_t all) const {
    if (count >= 0) return count < all ? count : all;
    return static_cast<std::int64_t>(share * static_cast<double>(all));
  }
  bool nothing() const { return count == 0 || (count < 0 && share == 0); }
};

}  // namespace tpulab
