// Attention that keeps its scores in VMEM.
#pragma once

#include <algorithm>

#include "engine/ops/ops.h"

namespace tpulab {

// Keys from first to end, end not among them, that a query sees.
struct SeenKeys {
  std::int64_t first = 0;
  std::int64_t end = 0;
};
inline SeenKeys seen_keys(std::int64_t query, std::int64_t queries, std::int64_t keys, bool causal,
                          std::int64_t window) {
  const std::int64_t end =
      causal ? std::clamp<std::int64_t>(keys - queries + query + 1, 0, keys) : keys;
  return {window > 0 ? std::max<std::int64_t>(0, end - window) : 0, end};
}

struct FlashOptions {
  bool causal = false;
  std::int64_t window = 0;
  double cap = 0;
  int passes = 1;
};

// attention() of values as wide as keys, without scores in memory. Shapes are checked by the
// caller.
Tensor flash_attention(Tensor q, Tensor k, Tensor v, const FlashOptions& options);

}  // namespace tpulab
