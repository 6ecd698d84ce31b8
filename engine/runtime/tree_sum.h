// The sum of an all-reduce: a binary tree that halves the cores from the top, the same wherever
// they are computed. A process that owns an aligned part of the cores owns a subtree, so that the
// bits do not depend on how many processes there are, nor on their workers.
#pragma once

#include <span>

#include "engine/graph/array.h"

namespace tpulab {

class Peers;
class WorkerPool;

// `cores` are alike in shape, `sum` holds as many elements and is none of them. Answers in `sum`.
void tree_sum(std::span<const ArrayView> cores, std::span<float> sum, WorkerPool& workers);
// The levels above: sums of the peers' subtrees, as many as a power of two, with theirs.
void sum_with_peers(Peers& peers, std::span<float> sum);

}  // namespace tpulab
