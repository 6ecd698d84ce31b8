#include "engine/training/networks/pyramid.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/general_ops.h"

namespace tpulab {

RegionLabels::RegionLabels(const RegionSizes& sizes, std::int64_t height, std::int64_t width)
    : pyramid{.levels = {}, .whole = sizes.whole} {
  constexpr std::int64_t finest = 4;  // pixels of a cell behind the stem
  const auto stages = std::ssize(sizes.backbone.blocks);
  std::int64_t stride = finest;
  for (std::int64_t i = 0; i <= stages; ++i, stride *= 2) {
    const AnchorGrid grid{.height = (height + stride - 1) / stride,
                          .width = (width + stride - 1) / stride,
                          .stride = stride,
                          .side = sizes.anchor * static_cast<double>(stride)};
    pyramid.levels.push_back(grid);
    levels.push_back({grid, all, all + grid.anchors()});
    all += 5 * grid.anchors();
  }
  classes = all;
  boxes = classes + sizes.things;
  outlines = boxes + 4 * sizes.things;
  all = outlines + sizes.things * sizes.outline * sizes.outline;
}

std::vector<Tensor> pyramid_maps(Scope& scope, Tensor x, const RegionSizes& sizes) {
  const std::vector<Tensor> stages = residual_maps(scope, x, sizes.backbone);
  std::vector<Tensor> maps(stages.size());
  for (std::size_t i = stages.size(); i-- > 0;) {
    maps[i] = convolution(scope, fmt::format("pyramid.narrow{}", i + 1), stages[i],
                          {.outputs = sizes.width});
    if (i + 1 < stages.size()) maps[i] = add(upsampled(maps[i + 1]), maps[i]);
  }
  for (std::size_t i = 0; i < maps.size(); ++i) {
    maps[i] = convolution(scope, fmt::format("pyramid.conv{}", i + 1), maps[i],
                          {.outputs = sizes.width, .height = 3, .width = 3});
  }
  maps.push_back(max_pool2d(maps.back(), {.window = 1, .stride = 2}));
  return maps;
}

ScoredAnchors scored_anchors(Scope& scope, const std::vector<Tensor>& maps,
                             const RegionSizes& sizes) {
  const std::int64_t channels = sizes.width;
  const Filter conv =
      filter_of(scope, "anchors.conv", channels, {.outputs = sizes.width, .height = 3, .width = 3});
  const Filter score = filter_of(scope, "anchors.score", channels, {.outputs = AnchorGrid::kinds});
  const Filter move =
      filter_of(scope, "anchors.offsets", channels, {.outputs = 4 * AnchorGrid::kinds});
  ScoredAnchors made;
  for (const Tensor& map : maps) {
    const std::int64_t images = map.shape()[0];
    const std::int64_t anchors = map.shape()[1] * map.shape()[2] * AnchorGrid::kinds;
    const Tensor x = relu(convolved(scope, map, conv));
    made.scores.push_back(reshape(convolved(scope, x, score), {images, anchors}));
    made.offsets.push_back(reshape(convolved(scope, x, move), {images, anchors, 4}));
  }
  return made;
}

Tensor rows_at(Tensor x, Tensor places) {
  Graph& graph = *x.graph;
  const Shape& shape = x.shape();
  const std::int64_t rows = shape[0] * shape[1];
  const Tensor image = iota(graph, 0, places.shape(), DType::s32);
  const Tensor first =
      multiply(image, constant(graph, static_cast<double>(shape[1]), {}, DType::s32));
  const Tensor flat = reshape(add(places, first), Shape{places.shape().elements()});
  return reshape(gather(reshape(x, {rows, shape[2]}), flat),
                 {shape[0], places.shape()[1], shape[2]});
}

Tensor proposed_boxes(const ScoredAnchors& anchors, const Pyramid& pyramid, const Box& image,
                      const RegionSizes& sizes) {
  constexpr double most_overlap = 0.7;
  constexpr double never = -1e9;
  std::vector<Tensor> scores;
  std::vector<Tensor> boxes;
  for (std::size_t i = 0; i < anchors.scores.size(); ++i) {
    const Tensor score = convert(without_gradient(anchors.scores[i]), DType::f32);
    const Tensor offsets = convert(without_gradient(anchors.offsets[i]), DType::f32);
    const Tensor places = largest(score, std::min(sizes.scored, score.shape()[1]));
    const Tensor box =
        moved_boxes(anchors_at(places, pyramid.levels[i]), rows_at(offsets, places), {}, image);
    const Tensor kept = greater(not_suppressed(box, most_overlap), scalar(*score.graph, 0));
    scores.push_back(
        select(kept, picked(score, places), constant(*score.graph, never, {}, DType::f32)));
    boxes.push_back(box);
  }
  const Tensor all = concatenate(scores, 1);
  return rows_at(concatenate(boxes, 1), largest(all, std::min(sizes.proposed, all.shape()[1])));
}

}  // namespace tpulab
