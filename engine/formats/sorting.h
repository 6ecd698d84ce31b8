// What sorting costs a vector unit, in StableHLO as in HLO.
#pragma once

#include <cstdint>

namespace tpulab {

// Operations on each number of rows of such a length, for each array that moves with the keys: a
// bitonic network of l (l + 1) / 2 exchanges, l = log2 of the length, of four operations (two that
// bring partners together, a comparison, a choice) [Batcher 1968].
int sorting_operations(std::int64_t length);
// Of the `found` largest alone: runs of so many are sorted and merged, half of what is left each
// time.
int finding_operations(std::int64_t length, std::int64_t found);

}  // namespace tpulab
