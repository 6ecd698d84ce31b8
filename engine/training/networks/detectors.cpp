// Detectors: SSD's heads over a residual network. Which default box stands for which object the
// host has worked out beforehand, as in MLPerf's input pipeline.
#include <fmt/format.h>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

Tensor further_map(Scope& scope, const std::string& name, Tensor x, const DetectorSizes::Map& map) {
  x = relu(convolution(scope, name + ".narrow", x, {.outputs = map.narrow}));
  return relu(convolution(scope, name + ".conv", x,
                          {.outputs = map.outputs,
                           .height = 3,
                           .width = 3,
                           .stride = map.strides ? 2 : 1,
                           .padding = map.strides ? Padding::same() : Padding::valid()}));
}

// Classes and offsets of all boxes of a map: [b, boxes, classes + 4]. One product makes what two
// with a bias each do.
Tensor head(Scope& scope, const std::string& name, Tensor x, std::int64_t boxes,
            std::int64_t classes) {
  const std::int64_t each = classes + labels_of_a_box - 1;
  const Tensor y = convolution(scope, name, x, {.outputs = boxes * each, .height = 3, .width = 3});
  const Shape& shape = y.shape();
  return reshape(y, {shape[0], shape[1] * shape[2] * boxes, each});
}

Tensor detected(Scope& scope, Tensor x, const Example& example, const DetectorSizes& sizes) {
  x = residual_features(scope, x, sizes.backbone);
  std::vector<Tensor> heads;
  for (std::size_t map = 0; map < sizes.boxes.size(); ++map) {
    if (map > 0) x = further_map(scope, fmt::format("map{}", map + 1), x, sizes.further[map - 1]);
    heads.push_back(
        head(scope, fmt::format("head{}", map + 1), x, sizes.boxes[map], example.classes));
  }
  return heads.size() == 1 ? heads.front() : concatenate(heads, 1);
}

// What is wanted of each box, and which ones have an object.
struct Wanted {
  Wanted(Tensor outputs, Tensor labels, const Example& example)
      : rows(outputs.shape()[0]),
        boxes(outputs.shape()[1]),
        all(reshape(labels, {rows, boxes, labels_of_a_box})),
        kinds(reshape(slice(all, 2, 0, 1), Shape{rows * boxes})),
        logits(reshape(slice(outputs, 2, 0, example.classes), {rows * boxes, example.classes})) {
    Graph& graph = *outputs.graph;
    const Tensor none = constant(graph, 0, {}, kinds.type().dtype);
    matched = by_row(convert(greater(kinds, none), outputs.type().dtype));
    objects = maximum(reduce_sum(matched, std::vector<int>{1}), scalar(graph, 1));
  }
  Tensor by_row(Tensor of_boxes) const { return reshape(of_boxes, {rows, boxes}); }

  std::int64_t rows;
  std::int64_t boxes;
  Tensor all;
  Tensor kinds;
  Tensor logits;
  Tensor matched;  // 1 where there is an object: [rows, boxes]
  Tensor objects;  // of each row, at least 1
};

// Half the square near 0, further away the distance.
Tensor smooth_distance(Tensor x) {
  Graph& graph = *x.graph;
  const Tensor distance = maximum(x, subtract(scalar(graph, 0), x));
  const Tensor half = scalar(graph, 0.5, "half");
  return select(greater(scalar(graph, 1), distance), multiply(half, multiply(x, x)),
                subtract(distance, half));
}

// Of boxes without an object the three times as many that are furthest from right count.
Tensor detection_losses(Tensor outputs, Tensor labels, const Example& example) {
  constexpr double hundredth = 0.01;
  constexpr double empty_for_each = 3;
  Graph& graph = *outputs.graph;
  const Wanted wanted(outputs, labels, example);
  const Tensor each = wanted.by_row(softmax_cross_entropy(wanted.logits, wanted.kinds));
  const Tensor empty = subtract(scalar(graph, 1), wanted.matched);
  const Tensor hardest = among_largest(
      multiply(each, empty), multiply(wanted.objects, scalar(graph, empty_for_each, "3")));
  const Tensor offsets = slice(outputs, 2, example.classes, labels_of_a_box - 1);
  const Tensor places = convert(slice(wanted.all, 2, 1, labels_of_a_box - 1), offsets.type().dtype);
  const Tensor missed =
      smooth_distance(subtract(offsets, multiply(places, scalar(graph, hundredth, "hundredth"))));
  const Tensor placed = multiply(reduce_sum(missed, std::vector<int>{2}), wanted.matched);
  const Tensor counted = multiply(each, maximum(wanted.matched, hardest));
  return divide(reduce_sum(add(counted, placed), std::vector<int>{1}), wanted.objects);
}

// The share of the objects of a row whose class is told.
Tensor told(Tensor outputs, Tensor labels, const Example& example) {
  const Wanted wanted(outputs, labels, example);
  const Tensor right = wanted.by_row(correct_rows(wanted.logits, wanted.kinds));
  return divide(reduce_sum(multiply(right, wanted.matched), std::vector<int>{1}), wanted.objects);
}

}  // namespace

Model detector(std::string name, const DetectorSizes& sizes) {
  return {.input = Input::scene,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [sizes](Scope& scope, Tensor x,
                             const Example& example) { return detected(scope, x, example, sizes); },
          .objective = {.losses = detection_losses, .right = told}};
}

DetectorSizes ssd_sizes() {
  return {.backbone = {.blocks = {3, 4, 6}, .striding = 2},
          .further = {{256, 512}, {256, 512}, {128, 256}, {128, 256, false}, {128, 256, false}},
          .boxes = {4, 6, 6, 6, 4, 4}};
}

}  // namespace tpulab
