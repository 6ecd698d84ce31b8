// The second stage of a detector of regions, and what both stages lose. Which anchors stand for
// which things the host has worked out beforehand; which proposals do, the device.
#include <fmt/format.h>

#include <cmath>

#include "engine/ops/general_ops.h"
#include "engine/training/networks/pyramid.h"

namespace tpulab {

namespace {

constexpr OffsetScale scale{10, 5};  // [Detectron's bbox_reg_weights]
constexpr double half = 0.5;

Tensor number(Tensor like, double value) { return scalar(*like.graph, value, "number"); }

// What a row of labels says of its image.
class Truth {
 public:
  Truth(Tensor labels, const RegionLabels& places, const RegionSizes& sizes, std::int64_t rows)
      : all_(reshape(labels, {rows, places.all})), rows_(rows) {
    const std::int64_t things = sizes.things;
    classes = convert(part(places.classes, things), DType::f32);
    boxes = reshape(convert(part(places.boxes, 4 * things), DType::f32), {rows, things, 4});
    outlines = reshape(part(places.outlines, things * sizes.outline * sizes.outline),
                       {rows, things, sizes.outline, sizes.outline});
  }
  Tensor part(std::int64_t first, std::int64_t count) const { return slice(all_, 1, first, count); }
  std::int64_t rows() const { return rows_; }

  Tensor classes;   // f32 [b,things], 0: none
  Tensor boxes;     // [b,things,4]
  Tensor outlines;  // s32 [b,things,k,k]

 private:
  Tensor all_;
  std::int64_t rows_;
};

// Half the square up to `near`, further away as steep as there.
Tensor distance(Tensor x, double near) {
  const Tensor far = maximum(x, subtract(number(x, 0), x));
  const Tensor limited = subtract(far, relu(subtract(far, number(x, near))));
  return multiply(limited, subtract(far, multiply(limited, number(x, half))));
}

// Cross entropy of a sigmoid.
Tensor told_apart(Tensor x, Tensor wanted) {
  const Tensor far = maximum(x, subtract(number(x, 0), x));
  const Tensor rest = logarithm(add(exponential(subtract(number(x, 0), far)), number(x, 1)));
  return add(subtract(relu(x), multiply(x, wanted)), rest);
}

// Of each row the sum of x [b,n] over the sum of the weights, 1 at least.
Tensor weighed_mean(Tensor x, Tensor weights) {
  const std::vector<int> along{1};
  const Tensor count = maximum(reduce_sum(weights, along), number(x, 1));
  return divide(reduce_sum(multiply(x, weights), along), count);
}

Tensor anchor_losses(const ScoredAnchors& anchors, const Truth& truth, const RegionLabels& places,
                     const RegionSizes& sizes) {
  constexpr double hundredth = 0.01;
  constexpr double near = 1.0 / 9;
  Tensor sum;
  for (std::size_t i = 0; i < places.levels.size(); ++i) {
    const RegionLabels::Level& level = places.levels[i];
    const std::int64_t count = level.grid.anchors();
    const Tensor score = convert(anchors.scores[i], DType::f32);
    const Tensor counts = convert(truth.part(level.counts, count), DType::f32);
    const Tensor thing = relu(counts);
    const Tensor asked = convert(greater(counts, number(score, -half)), DType::f32);
    const Tensor wrong = reduce_sum(multiply(told_apart(score, thing), asked), std::vector<int>{1});
    const Tensor offsets = reshape(truth.part(level.offsets, 4 * count), {truth.rows(), count, 4});
    const Tensor wanted = multiply(convert(offsets, DType::f32), number(score, hundredth));
    const Tensor off = subtract(convert(anchors.offsets[i], DType::f32), wanted);
    const Tensor missed = reduce_mean(distance(off, near), std::vector<int>{2});
    const Tensor own = add(divide(wrong, number(score, static_cast<double>(sizes.asked))),
                           weighed_mean(missed, thing));
    sum = sum ? add(sum, own) : own;
  }
  return sum;
}

// Proposals that are looked at again: those with things first, and none more of them than wanted.
struct Samples {
  Tensor boxes;    // [b,n,4]
  Tensor with;     // 1 where there is a thing, f32 [b,n]
  Tensor matched;  // which, s32 [b,n]
  Tensor classes;  // its class, else 0, f32 [b,n]
  Tensor truth;    // its box, [b,n,4]
};

Samples sampled(Scope& scope, Tensor proposed, const Truth& truth, const RegionSizes& sizes) {
  const Tensor boxes = concatenate({proposed, truth.boxes}, 1);
  const Tensor common = box_overlaps(boxes, truth.boxes);
  const Tensor best = argmax(common);
  const Tensor with = convert(greater(reduce_max(common, {2}), number(boxes, half)), DType::f32);
  const Dropout drawn = scope.dropping(0);
  const Tensor random =
      random_numbers(*boxes.graph, with.shape(), Distribution::uniform, drawn.random, drawn.stream);
  const Tensor most = constant(*boxes.graph, static_cast<double>(sizes.with_things),
                               Shape{truth.rows()}, DType::f32);
  const Tensor first = among_largest(multiply(with, add(random, number(boxes, 1))), most);
  const Tensor chosen = multiply(first, with);
  // Things that were not chosen come last.
  const Tensor order =
      add(random, subtract(multiply(chosen, number(boxes, 4)), multiply(with, number(boxes, 2))));
  const Tensor places = largest(order, sizes.looked_at);
  Samples samples{.boxes = rows_at(boxes, places),
                  .with = picked(chosen, places),
                  .matched = picked(best, places),
                  .classes = {},
                  .truth = {}};
  samples.classes = multiply(picked(truth.classes, samples.matched), samples.with);
  samples.truth = rows_at(truth.boxes, samples.matched);
  return samples;
}

// The maps below each other, and what boxes see of them: [b n, side, side, c].
class Looked {
 public:
  Looked(const std::vector<Tensor>& maps, const Pyramid& pyramid) : pyramid_(pyramid) {
    std::vector<Tensor> pixels;
    channels_ = maps.front().shape()[3];
    for (const Tensor& map : maps) {
      const Shape& shape = map.shape();
      pixels.push_back(reshape(map, {shape[0], shape[1] * shape[2], channels_}));
    }
    const Tensor all = concatenate(pixels, 1);
    pixels_ = reshape(all, {all.shape()[0] * all.shape()[1], channels_});
  }
  Tensor at(Tensor boxes, std::int64_t side) const {
    const std::int64_t regions = boxes.shape()[0] * boxes.shape()[1];
    const Tensor seen = gather(pixels_, region_pixels(boxes, pyramid_, side));
    const Tensor weights = convert(region_weights(boxes, pyramid_, side), seen.type().dtype);
    const Tensor four =
        reshape(multiply_rows(seen, weights), {4, regions * side * side, channels_});
    return reshape(reduce_sum(four, std::vector<int>{0}), {regions, side, side, channels_});
  }

 private:
  Pyramid pyramid_;
  std::int64_t channels_ = 0;
  Tensor pixels_;
};

// Logits of the classes [n,classes] and offsets for each of them [n,4 classes].
struct Described {
  Tensor logits;
  Tensor offsets;
};
Described described(Scope& scope, Tensor regions, const RegionSizes& sizes, std::int64_t classes) {
  Tensor x = relu(dense(scope, "boxes.dense1", flattened(regions), sizes.hidden));
  x = relu(dense(scope, "boxes.dense2", x, sizes.hidden));
  const Tensor logits = dense(scope, "boxes.classes", x, classes);
  const Tensor offsets = dense(scope, "boxes.offsets", x, 4 * classes);
  return {convert(logits, DType::f32), convert(offsets, DType::f32)};
}

// Logits of an outline of twice the side, of one class each: [n, (2 side)^2].
Tensor outlined(Scope& scope, Tensor x, Tensor classes, const RegionSizes& sizes,
                std::int64_t all) {
  const DType dtype = x.type().dtype;
  for (int i = 1; i <= 4; ++i) {
    x = relu(convolution(scope, fmt::format("outlines.conv{}", i), x,
                         {.outputs = sizes.width, .height = 3, .width = 3}));
  }
  const Initial initial{Initial::Kind::uniform, half / std::sqrt(static_cast<double>(sizes.width))};
  const Shape window{2, 2, sizes.width, sizes.width};
  const Tensor filter = scope.parameter("outlines.double.weight", window, initial);
  const Tensor bias = scope.parameter("outlines.double.bias", {sizes.width}, initial);
  x = relu(add(transposed_convolution(x, convert(filter, dtype), 2, scope.precision()),
               convert(bias, dtype)));
  x = convolution(scope, "outlines.classes", x, {.outputs = all});
  const Shape& shape = x.shape();
  const std::int64_t pixels = shape[1] * shape[2];
  // Of each its own class, by a product with ones and zeros.
  const Tensor kinds = iota(*x.graph, 1, {shape[0], all}, DType::f32);
  const Tensor own = compare(kinds, repeat_like(classes, kinds, 1), "EQ");
  const Tensor column = reshape(convert(own, dtype), {shape[0], all, 1});
  const Tensor told =
      batch_matmul(reshape(x, {shape[0], pixels, all}), column, {.precision = scope.precision()});
  return reshape(convert(told, DType::f32), {shape[0], pixels});
}

// Of offsets [n, 4 classes] those of one class each: [n,4].
Tensor offsets_of(Tensor offsets, Tensor classes) {
  const Tensor sides = iota(*offsets.graph, 1, {offsets.shape()[0], 4}, DType::f32);
  const Tensor first = multiply(repeat_like(classes, sides, 1), number(offsets, 4));
  return picked(offsets, convert(add(sides, first), DType::s32));
}

Tensor in_one_row(Tensor x) { return reshape(x, Shape{x.shape().elements()}); }

Tensor region_losses(Scope& scope, const Looked& looked, const Samples& samples, const Truth& truth,
                     const RegionSizes& sizes, std::int64_t classes) {
  const std::int64_t rows = truth.rows();
  const Tensor wanted = in_one_row(samples.classes);
  const Described made = described(scope, looked.at(samples.boxes, sizes.box_side), sizes, classes);
  const Tensor wrong = softmax_cross_entropy(made.logits, convert(wanted, DType::s32));
  const Tensor apart =
      subtract(offsets_of(made.offsets, wanted),
               reshape(box_offsets(samples.boxes, samples.truth, scale), {wanted.shape()[0], 4}));
  const Tensor missed = reduce_mean(distance(apart, 1), std::vector<int>{1});
  const Tensor of_boxes =
      add(reduce_mean(reshape(wrong, {rows, sizes.looked_at}), std::vector<int>{1}),
          weighed_mean(reshape(missed, {rows, sizes.looked_at}), samples.with));
  const auto first = [&](Tensor x) { return slice(x, 1, 0, sizes.with_things); };
  const Tensor boxes = first(samples.boxes);
  const Tensor outlines = outlined(scope, looked.at(boxes, sizes.mask_side),
                                   in_one_row(first(samples.classes)), sizes, classes);
  const Tensor lies =
      cut_outlines(truth.outlines, truth.boxes, first(samples.matched), boxes, 2 * sizes.mask_side);
  const Tensor off =
      reduce_mean(told_apart(outlines, reshape(lies, outlines.shape())), std::vector<int>{1});
  return add(of_boxes, weighed_mean(reshape(off, {rows, sizes.with_things}), first(samples.with)));
}

// Boxes, logits of the classes and logits of an outline, side by side.
Tensor detections(Scope& scope, const Looked& looked, Tensor proposed, const Box& image,
                  const RegionSizes& sizes, std::int64_t classes) {
  const Shape shape = proposed.shape();
  const std::int64_t regions = shape[0] * shape[1];
  const Described made = described(scope, looked.at(proposed, sizes.box_side), sizes, classes);
  const Tensor things = argmax(slice(made.logits, 1, 1, classes - 1));
  const Tensor likeliest = add(convert(things, DType::f32), number(proposed, 1));
  const Tensor offsets = reshape(offsets_of(made.offsets, likeliest), shape);
  const Tensor boxes = moved_boxes(proposed, offsets, scale, image);
  const Tensor outlines =
      outlined(scope, looked.at(boxes, sizes.mask_side), likeliest, sizes, classes);
  const Tensor all = concatenate({reshape(boxes, {regions, 4}), made.logits, outlines}, 1);
  return reshape(all, {shape[0], shape[1], all.shape()[1]});
}

Tensor detected(Scope& scope, Tensor x, const Example& example, const RegionSizes& sizes) {
  const std::int64_t height = example.row[0];
  const std::int64_t width = example.row[1];
  const Box image{0, 0, static_cast<float>(height), static_cast<float>(width)};
  const RegionLabels places(sizes, height, width);
  const std::vector<Tensor> maps = pyramid_maps(scope, x, sizes);
  const ScoredAnchors anchors = scored_anchors(scope, maps, sizes);
  const Tensor proposed = proposed_boxes(anchors, places.pyramid, image, sizes);
  const Looked looked(maps, places.pyramid);
  const Tensor labels = scope.tracing().labels;
  if (!labels) return detections(scope, looked, proposed, image, sizes, example.classes);
  const Truth truth(labels, places, sizes, x.shape()[0]);
  const Samples samples = sampled(scope, proposed, truth, sizes);
  return add(anchor_losses(anchors, truth, places, sizes),
             region_losses(scope, looked, samples, truth, sizes, example.classes));
}

// Which boxes stand for what follows from both stages: the losses are made with them.
Tensor losses_of_both_stages(Tensor outputs, Tensor, const Example&) { return outputs; }

// 1 where both are above a half, over where one of them is: of the last axis.
Tensor common_share(Tensor a, Tensor b) {
  const std::vector<int> along{a.shape().rank() - 1};
  const Tensor both = reduce_sum(multiply(a, b), along);
  const Tensor any = reduce_sum(maximum(a, b), along);
  return divide(both, maximum(any, number(a, 1)));
}

Tensor above(Tensor x, double limit) { return convert(greater(x, number(x, limit)), DType::f32); }

// The share of the things of a row that are found: of the box that overlaps most with it, by half
// at least, the class is told, and the outline is right by half.
Tensor found(Tensor outputs, Tensor labels, const Example& example, const RegionSizes& sizes) {
  const std::int64_t rows = outputs.shape()[0];
  const RegionLabels places(sizes, example.row[0], example.row[1]);
  const Truth truth(labels, places, sizes, rows);
  const std::int64_t pixels = 4 * sizes.mask_side * sizes.mask_side;
  const Tensor common = box_overlaps(truth.boxes, slice(outputs, 2, 0, 4));
  const Tensor own = rows_at(outputs, argmax(common));
  const Tensor boxes = slice(own, 2, 0, 4);
  const Tensor told = convert(argmax(slice(own, 2, 4, example.classes)), DType::f32);
  const Tensor off = subtract(told, truth.classes);
  const Tensor right = subtract(number(off, 1), above(multiply(off, off), half));
  const Tensor each = iota(*outputs.graph, 1, truth.classes.shape(), DType::s32);
  const Tensor lies = cut_outlines(truth.outlines, truth.boxes, each, boxes, 2 * sizes.mask_side);
  const Tensor outlined = above(slice(own, 2, 4 + example.classes, pixels), 0);
  const Tensor all = multiply(multiply(right, above(reduce_max(common, {2}), half)),
                              above(common_share(lies, outlined), half));
  return weighed_mean(all, above(truth.classes, half));
}

}  // namespace

Model region_detector(std::string name, const RegionSizes& sizes) {
  return {.input = Input::outlines,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [sizes](Scope& scope, Tensor x,
                             const Example& example) { return detected(scope, x, example, sizes); },
          .drops = true,
          .objective = {.losses = losses_of_both_stages,
                        .right = [sizes](Tensor outputs, Tensor labels, const Example& example) {
                          return found(outputs, labels, example, sizes);
                        }}};
}

RegionSizes mask_rcnn_sizes() {
  return {.backbone = {.blocks = {3, 4, 6, 3}, .bottlenecks = true, .frozen = true}};
}

RegionSizes small_mask_rcnn_sizes() {
  return {.backbone = {.blocks = {1, 1}, .width = 16},
          .width = 32,
          .anchor = 2,
          .whole = 32,
          .scored = 64,
          .proposed = 24,
          .asked = 32,
          .looked_at = 16,
          .with_things = 8,
          .hidden = 64,
          .box_side = 4,
          .mask_side = 4,
          .things = 3,
          .outline = 8};
}

}  // namespace tpulab
