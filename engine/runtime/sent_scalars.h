// The scalars that a host has sent, where it traces each step anew: one is sent, and found again by
// its value later, while it is among the newest. [P:torch_xla/csrc/tensor.cpp,
// XLA_DEVDATA_CACHE_SIZE 128]
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tpulab {

class SentScalars {
 public:
  // By the bits of their value in f32. False for one that is there already.
  bool send(std::uint32_t bits) {
    constexpr std::size_t kept = 128;
    const auto known = std::ranges::find(newest_last_, bits);
    if (known != newest_last_.end()) {
      std::rotate(known, known + 1, newest_last_.end());
      return false;
    }
    newest_last_.push_back(bits);
    if (newest_last_.size() > kept) newest_last_.erase(newest_last_.begin());
    return true;
  }
  bool knows(std::uint32_t bits) const {
    return std::ranges::find(newest_last_, bits) != newest_last_.end();
  }
  void clear() { newest_last_.clear(); }

 private:
  std::vector<std::uint32_t> newest_last_;
};

}  // namespace tpulab
