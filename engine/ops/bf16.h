// Rounding to bf16 from one place to another, as loops that vectorise.
#pragma once

#include <cstdint>

#include "engine/graph/array.h"

namespace tpulab {

// to[i] = from[i] rounded to nearest even.
inline void round_to_bf16(const float* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = rounded_to_bf16(from[i]);
}

// high + low is `from` to 16 bits of mantissa: the split behind the 3-pass product.
inline void split_to_bf16(const float* from, float* high, float* low, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    high[i] = rounded_to_bf16(from[i]);
    low[i] = rounded_to_bf16(from[i] - high[i]);
  }
}

}  // namespace tpulab
