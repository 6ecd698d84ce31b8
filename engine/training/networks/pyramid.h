// The first stage of a detector of regions: maps of features, and the boxes that it proposes.
#pragma once

#include <vector>

#include "engine/training/networks/blocks.h"

namespace tpulab {

// From fine to coarse, [b,h,w,c]; the last one every second pixel of the one before.
std::vector<Tensor> pyramid_maps(Scope& scope, Tensor x, const RegionSizes& sizes);

// Of each map: logits of its anchors [b,n], and their offsets [b,n,4].
struct ScoredAnchors {
  std::vector<Tensor> scores;
  std::vector<Tensor> offsets;
};
ScoredAnchors scored_anchors(Scope& scope, const std::vector<Tensor>& maps,
                             const RegionSizes& sizes);

// The best boxes of all levels, [b,proposed,4], none of which overlaps too much with a better one
// of its level; where there are fewer, others behind them. No gradient flows back.
Tensor proposed_boxes(const ScoredAnchors& anchors, const Pyramid& pyramid, const Box& image,
                      const RegionSizes& sizes);

// x [b,n,w] at places s32 [b,k] -> [b,k,w]
Tensor rows_at(Tensor x, Tensor places);

}  // namespace tpulab
