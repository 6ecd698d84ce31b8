// What lies between boxes, and which of them are kept.
#include "engine/ops/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/general_op.h"
#include "engine/ops/row_index.h"

namespace tpulab {

float overlap(const Box& a, const Box& b) {
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float both = std::max(height, 0.0f) * std::max(width, 0.0f);
  return both > 0 ? both / (a.area() + b.area() - both) : 0;
}

namespace {
float at_least_a_pixel(float side) { return std::max(side, 1.0f); }
}  // namespace

BoxOffsets offsets_between(const Box& from, const Box& to) {
  const float height = at_least_a_pixel(from.height());
  const float width = at_least_a_pixel(from.width());
  return {(to.top + to.bottom - from.top - from.bottom) / 2 / height,
          (to.left + to.right - from.left - from.right) / 2 / width,
          std::log(at_least_a_pixel(to.height()) / height),
          std::log(at_least_a_pixel(to.width()) / width)};
}

Box moved(const Box& from, const BoxOffsets& by) {
  // So that no exponential overflows [Detectron, BBOX_XFORM_CLIP].
  static const float most = std::log(1000.0f / 16);
  const float height = at_least_a_pixel(from.height());
  const float width = at_least_a_pixel(from.width());
  const float half_height = height * std::exp(std::min(by.taller, most)) / 2;
  const float half_width = width * std::exp(std::min(by.wider, most)) / 2;
  const float y = (from.top + from.bottom) / 2 + by.down * height;
  const float x = (from.left + from.right) / 2 + by.across * width;
  return {y - half_height, x - half_width, y + half_height, x + half_width};
}

Box AnchorGrid::anchor(std::int64_t index) const {
  static constexpr std::array<std::array<double, 2>, kinds> shapes{
      {{1, 1}, {0.7, 1.4}, {1.4, 0.7}}};  // height and width
  const auto& shape = shapes[static_cast<std::size_t>(index % kinds)];
  const std::int64_t cell = index / kinds;
  const std::int64_t row = cell / width;
  const auto pixels = static_cast<double>(stride);
  const double y = (static_cast<double>(row) + 0.5) * pixels;
  const double x = (static_cast<double>(cell % width) + 0.5) * pixels;
  const double half_height = side * shape[0] / 2;
  const double half_width = side * shape[1] / 2;
  return {static_cast<float>(y - half_height), static_cast<float>(x - half_width),
          static_cast<float>(y + half_height), static_cast<float>(x + half_width)};
}

namespace {

constexpr std::int64_t sides = 4;

Box box_at(const ArrayView& boxes, std::int64_t index) {
  const float* from = boxes.data + index * sides;
  return {from[0], from[1], from[2], from[3]};
}
void put(const Box& box, const ArraySpan& out, std::int64_t index) {
  float* to = out.data + index * sides;
  to[0] = box.top, to[1] = box.left, to[2] = box.bottom, to[3] = box.right;
}

bool is_finite(const Box& box) {
  return std::isfinite(box.top) && std::isfinite(box.left) && std::isfinite(box.bottom) &&
         std::isfinite(box.right);
}
Box cut_off(const Box& box, const Box& image) {
  if (!is_finite(box)) return {image.top, image.left, image.top, image.left};
  return {std::clamp(box.top, image.top, image.bottom),
          std::clamp(box.left, image.left, image.right),
          std::clamp(box.bottom, image.top, image.bottom),
          std::clamp(box.right, image.left, image.right)};
}

void check_boxes(std::string_view op, Tensor boxes) {
  const Shape& shape = boxes.shape();
  if (shape.rank() == 3 && shape[2] == sides) return;
  throw Error(fmt::format("{}: {} is no array of boxes; give [b,n,4]", op,
                          text_of(boxes.type().dtype, shape)));
}

// Boxes side by side in the lanes, as a TPU would have them.
Shape in_lanes(const Shape& boxes) { return {boxes[0], sides, boxes[1]}; }

Tensor on_boxes(std::string name, std::string attributes, const Type& type, const VectorWork& work,
                GeneralOp::Numbers numbers, std::initializer_list<Tensor> inputs,
                OpTraits traits = {}) {
  GeneralOp op{.name = std::move(name),
               .attributes = std::move(attributes),
               .traits = traits,
               .type = type,
               .work = work,
               .numbers = std::move(numbers)};
  return apply_general(*inputs.begin()->graph, std::move(op), {inputs.begin(), inputs.size()});
}

// The kernels and the work of clearing tiles: overlaps with what was kept of each tile before, then
// of the tile with itself, and so often two maxima of each row and a sum to see what has changed.
struct Suppression {
  static constexpr std::int64_t tile = 512;
  // Boxes that suppress each other in turn, whose number is in the values: an assumption.
  static constexpr int chain = 4;

  explicit Suppression(const Shape& boxes)
      : tiles((boxes[1] + tile - 1) / tile), pairs(tiles * (tiles + 1) / 2) {}

  int kernels() const {
    const std::int64_t rounds = 1 + 3 * static_cast<std::int64_t>(chain);
    return static_cast<int>(std::max<std::int64_t>(pairs - tiles + tiles * rounds, 1));
  }
  VectorWork work(std::int64_t images) const {
    constexpr int of_overlap = 14;
    constexpr std::int64_t of_clearing = 6;
    // Tiles over pairs are 2 / (tiles + 1), also where there are none.
    const auto clearing = static_cast<int>(of_clearing * chain * 2 / (tiles + 1));
    return {.shape = {images, pairs * tile, tile}, .cheap = of_overlap + clearing, .medium = 1};
  }

  std::int64_t tiles;
  std::int64_t pairs;  // of tiles
};

void keep_best(const ArrayView& boxes, float most, std::int64_t image, const ArraySpan& out) {
  const std::int64_t count = boxes.shape[1];
  std::vector<Box> kept;
  for (std::int64_t i = image * count; i < (image + 1) * count; ++i) {
    const Box box = box_at(boxes, i);
    const bool best =
        box.height() > 0 && box.width() > 0 &&
        std::ranges::none_of(kept, [&](const Box& other) { return overlap(box, other) > most; });
    if (best) kept.push_back(box);
    out[i] = best ? 1.0f : 0.0f;
  }
}

}  // namespace

Tensor anchors_at(Tensor places, const AnchorGrid& grid) {
  const Shape& shape = places.shape();
  return on_boxes(
      "anchors", fmt::format("{}x{}x{} of {}", grid.height, grid.width, grid.stride, grid.side),
      {{shape[0], shape[1], sides}, DType::f32},
      {.shape = {shape[0], sides, shape[1]}, .cheap = 6, .medium = 1},
      [grid](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        for (std::int64_t i = 0; i < in[0].elements(); ++i) {
          put(grid.anchor(checked_index("anchors", in[0][i], grid.anchors())), out, i);
        }
      },
      {places});
}

Tensor moved_boxes(Tensor boxes, Tensor offsets, const OffsetScale& scale, const Box& image) {
  check_boxes("moved_boxes", boxes);
  check_boxes("moved_boxes", offsets);
  const auto middles = static_cast<float>(scale.middles);
  const auto sizes = static_cast<float>(scale.sizes);
  return on_boxes(
      "moved-boxes",
      fmt::format("{} {} in {}x{}", scale.middles, scale.sizes, image.bottom, image.right),
      {boxes.shape(), DType::f32},
      {.shape = in_lanes(boxes.shape()), .cheap = 6, .transcendental = 1},
      [=](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        for (std::int64_t i = 0; i < in[0].elements() / sides; ++i) {
          const Box by = box_at(in[1], i);
          const Box box = moved(box_at(in[0], i), {by.top / middles, by.left / middles,
                                                   by.bottom / sizes, by.right / sizes});
          put(cut_off(box, image), out, i);
        }
      },
      {boxes, offsets});
}

Tensor box_offsets(Tensor from, Tensor to, const OffsetScale& scale) {
  check_boxes("box_offsets", from);
  check_boxes("box_offsets", to);
  const auto middles = static_cast<float>(scale.middles);
  const auto sizes = static_cast<float>(scale.sizes);
  return on_boxes(
      "box-offsets", fmt::format("{} {}", scale.middles, scale.sizes), {from.shape(), DType::f32},
      {.shape = in_lanes(from.shape()), .cheap = 6, .medium = 1, .transcendental = 1},
      [=](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        for (std::int64_t i = 0; i < in[0].elements() / sides; ++i) {
          const BoxOffsets by = offsets_between(box_at(in[0], i), box_at(in[1], i));
          put({by.down * middles, by.across * middles, by.taller * sizes, by.wider * sizes}, out,
              i);
        }
      },
      {from, to});
}

Tensor box_overlaps(Tensor boxes, Tensor others) {
  check_boxes("box_overlaps", boxes);
  check_boxes("box_overlaps", others);
  const Shape shape{boxes.shape()[0], boxes.shape()[1], others.shape()[1]};
  return on_boxes("overlaps", "", {shape, DType::f32}, {.shape = shape, .cheap = 14, .medium = 1},
                  [](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
                    const std::int64_t count = out.shape[1];
                    const std::int64_t beside = out.shape[2];
                    for (std::int64_t i = 0; i < out.elements(); ++i) {
                      const std::int64_t row = i / beside;
                      const std::int64_t other = row / count * beside + i % beside;
                      out[i] = overlap(box_at(in[0], row), box_at(in[1], other));
                    }
                  },
                  {boxes, others});
}

Tensor not_suppressed(Tensor boxes, double most) {
  check_boxes("not_suppressed", boxes);
  const Shape& shape = boxes.shape();
  const Suppression suppression(shape);
  return on_boxes(
      "non-max-suppression", fmt::format("overlap={}", most), {{shape[0], shape[1]}, DType::f32},
      suppression.work(shape[0]),
      [most](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        for (std::int64_t image = 0; image < out.shape[0]; ++image) {
          keep_best(in[0], static_cast<float>(most), image, out);
        }
      },
      {boxes}, {.kernels = suppression.kernels()});
}

}  // namespace tpulab
