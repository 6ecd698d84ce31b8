// Rounding to bf16 as a loop that vectorises; for each value the same as rounded_to_bf16.
#pragma once

#include <bit>
#include <cstdint>

namespace tpulab {

inline float nearest_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const std::uint32_t even = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
  return std::bit_cast<float>(nan ? bits | 0x00400000u : even);
}

// to[i] = from[i] rounded to nearest even.
inline void round_to_bf16(const float* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = nearest_bf16(from[i]);
}

// high + low is `from` to 16 bits of mantissa: the split behind the 3-pass product.
inline void split_to_bf16(const float* from, float* high, float* low, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    high[i] = nearest_bf16(from[i]);
    low[i] = nearest_bf16(from[i] - high[i]);
  }
}

}  // namespace tpulab
