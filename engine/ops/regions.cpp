// Which pixels of a pyramid of maps a box looks at, and what lies there of a thing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/ops/boxes.h"
#include "engine/ops/general_op.h"
#include "engine/ops/row_index.h"

namespace tpulab {

std::int64_t Pyramid::pixels() const {
  std::int64_t sum = 0;
  for (const AnchorGrid& level : levels) sum += level.height * level.width;
  return sum;
}

namespace {

constexpr int neighbours = 4;  // upper left and right, lower left and right

// One direction of a point: the pixels before and behind it, and how near it is to the second. For
// what is not finite they are pixels of the map all the same, with weights that are not finite.
struct Between {
  Between(float at, std::int64_t extent) {
    const float begin = at > 0 ? std::floor(at) : 0.0f;
    const auto last = static_cast<float>(extent - 1);
    first = static_cast<std::int64_t>(std::min(begin, last));
    second = static_cast<std::int64_t>(std::min(begin + 1, last));
    share = at - begin;
  }
  std::int64_t of(bool behind) const { return behind ? second : first; }
  float weight(bool behind) const { return behind ? share : 1 - share; }

  std::int64_t first;
  std::int64_t second;
  float share;
};

struct Look {
  Look(const Pyramid& pyramid, const float* box) {
    const float height = box[2] - box[0];
    const float width = box[3] - box[1];
    constexpr int usual = 4;  // where a cell has 16 pixels
    const auto strides = static_cast<std::uint64_t>(pyramid.levels.front().stride);
    const auto first = static_cast<int>(std::bit_width(strides)) - 1;
    // These two pass over what is not a number.
    const float area = std::fmin(height * width, std::numeric_limits<float>::max());
    const double side = std::sqrt(std::fmax(static_cast<double>(area), 1e-6));
    const int wanted = usual + static_cast<int>(std::floor(std::log2(side / pyramid.whole)));
    const int last = static_cast<int>(std::ssize(pyramid.levels)) - 1;
    level = static_cast<std::size_t>(std::clamp(wanted - first, 0, last));
    for (std::size_t i = 0; i < level; ++i) {
      begin += pyramid.levels[i].height * pyramid.levels[i].width;
    }
    const auto stride = static_cast<float>(pyramid.levels[level].stride);
    top = box[0] / stride, left = box[1] / stride;
    tall = height / stride, wide = width / stride;
  }
  std::size_t level = 0;
  std::int64_t begin = 0;  // of its level's pixels
  float top, left, tall, wide;
};

// Calls visit(index of a point, image, region, y, x) for each part of each box.
template <class Visit>
void for_each_point(const ArrayView& boxes, const Pyramid& pyramid, std::int64_t side,
                    const Visit& visit) {
  const std::int64_t parts = side * side;
  for (std::int64_t box = 0; box < boxes.elements() / 4; ++box) {
    const Look region(pyramid, boxes.data + box * 4);
    const AnchorGrid& level = pyramid.levels[region.level];
    const auto of = [&](std::int64_t part) {
      return (static_cast<float>(part) + 0.5f) / static_cast<float>(side);
    };
    for (std::int64_t part = 0; part < parts; ++part) {
      const Between y(region.top + region.tall * of(part / side), level.height);
      const Between x(region.left + region.wide * of(part % side), level.width);
      visit(box * parts + part, box / boxes.shape[1], region, y, x);
    }
  }
}

std::string pyramid_words(const Pyramid& pyramid, std::int64_t side) {
  std::string text = fmt::format("side={} whole={}", side, pyramid.whole);
  for (const AnchorGrid& level : pyramid.levels) {
    text += fmt::format(" {}x{}x{}", level.height, level.width, level.stride);
  }
  return text;
}

// About so many operations for each neighbour of each point.
constexpr int operations = 10;

Tensor of_points(std::string_view name, Tensor boxes, const Pyramid& pyramid, std::int64_t side,
                 DType dtype, GeneralOp::Numbers numbers) {
  const std::int64_t points = boxes.shape().elements() / 4 * side * side;
  GeneralOp op{.name = std::string(name),
               .attributes = pyramid_words(pyramid, side),
               .type = {Shape{neighbours * points}, dtype},
               .work = VectorWork{.shape = Shape{neighbours * points}, .cheap = operations},
               .numbers = std::move(numbers)};
  return apply_general(*boxes.graph, std::move(op), {&boxes, 1});
}

}  // namespace

Tensor region_pixels(Tensor boxes, const Pyramid& pyramid, std::int64_t side) {
  return of_points(
      "region-pixels", boxes, pyramid, side, DType::s32,
      [pyramid, side](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        const std::int64_t points = out.elements() / neighbours;
        const std::int64_t all = pyramid.pixels();
        for_each_point(in[0], pyramid, side,
                       [&](std::int64_t point, std::int64_t image, const Look& region,
                           const Between& y, const Between& x) {
                         const std::int64_t width = pyramid.levels[region.level].width;
                         for (int i = 0; i < neighbours; ++i) {
                           const std::int64_t pixel = y.of(i / 2 == 1) * width + x.of(i % 2 == 1);
                           out[i * points + point] =
                               static_cast<float>(image * all + region.begin + pixel);
                         }
                       });
      });
}

Tensor region_weights(Tensor boxes, const Pyramid& pyramid, std::int64_t side) {
  return of_points(
      "region-weights", boxes, pyramid, side, DType::f32,
      [pyramid, side](std::span<const ArrayView> in, const ArraySpan& out, const EvaluateContext&) {
        const std::int64_t points = out.elements() / neighbours;
        for_each_point(
            in[0], pyramid, side,
            [&](std::int64_t point, std::int64_t, const Look&, const Between& y, const Between& x) {
              for (int i = 0; i < neighbours; ++i) {
                out[i * points + point] = y.weight(i / 2 == 1) * x.weight(i % 2 == 1);
              }
            });
      });
}

Tensor cut_outlines(Tensor outlines, Tensor things, Tensor chosen, Tensor boxes,
                    std::int64_t side) {
  const Shape shape{boxes.shape()[0], boxes.shape()[1], side * side};
  GeneralOp op{.name = "cut-outlines",
               .attributes = fmt::format("side={}", side),
               .type = {shape, DType::f32},
               .work = VectorWork{.shape = shape, .cheap = neighbours * operations},
               .numbers = [side](std::span<const ArrayView> in, const ArraySpan& out,
                                 const EvaluateContext&) {
                 const std::int64_t all = in[1].shape[1];
                 const std::int64_t fine = in[0].shape[3];
                 // -1 outside of the thing, however far, and for what is not a number.
                 const auto place = [&](float at, float begin, float extent) -> std::int64_t {
                   const float share = (at - begin) / std::max(extent, 1e-6f);
                   const float point = std::floor(share * static_cast<float>(fine));
                   const bool inside = point >= 0 && point < static_cast<float>(fine);
                   return inside ? static_cast<std::int64_t>(point) : -1;
                 };
                 for (std::int64_t i = 0; i < out.elements(); ++i) {
                   const std::int64_t box = i / (side * side);
                   const std::int64_t part = i % (side * side);
                   const std::int64_t thing =
                       box / out.shape[1] * all + checked_index("cut-outlines", in[2][box], all);
                   const float* b = in[3].data + box * 4;
                   const float* t = in[1].data + thing * 4;
                   const auto middle = [&](std::int64_t at, float begin, float end) {
                     return begin + (end - begin) * (static_cast<float>(at) + 0.5f) /
                                        static_cast<float>(side);
                   };
                   const std::int64_t y = place(middle(part / side, b[0], b[2]), t[0], t[2] - t[0]);
                   const std::int64_t x = place(middle(part % side, b[1], b[3]), t[1], t[3] - t[1]);
                   const bool inside = y >= 0 && x >= 0;
                   out[i] = inside ? in[0][(thing * fine + y) * fine + x] : 0.0f;
                 }
               }};
  const std::array inputs{outlines, things, chosen, boxes};
  return apply_general(*boxes.graph, std::move(op), inputs);
}

}  // namespace tpulab
