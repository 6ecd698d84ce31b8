#include "engine/ops/boxes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::boxes_test {
namespace {

Array boxes_of(const std::vector<Box>& boxes) {
  std::vector<float> values;
  for (const Box& box : boxes) {
    for (const float one : {box.top, box.left, box.bottom, box.right}) values.push_back(one);
  }
  return Array(Shape{1, std::ssize(boxes), 4}, values);
}

TEST(Boxes, overlap_by_their_common_area_over_that_of_both) {
  EXPECT_FLOAT_EQ(overlap({0, 0, 2, 2}, {1, 1, 3, 3}), 1.0f / 7);
  EXPECT_FLOAT_EQ(overlap({0, 0, 2, 2}, {0, 0, 2, 2}), 1);
  EXPECT_FLOAT_EQ(overlap({0, 0, 2, 2}, {2, 0, 4, 2}), 0);
  EXPECT_FLOAT_EQ(overlap({0, 0, 0, 0}, {0, 0, 0, 0}), 0);
}

void expect_moved_back(const Box& from, const Box& to) {
  const Box back = moved(from, offsets_between(from, to));
  EXPECT_NEAR(back.top, to.top, 1e-5);
  EXPECT_NEAR(back.left, to.left, 1e-5);
  EXPECT_NEAR(back.bottom, to.bottom, 1e-5);
  EXPECT_NEAR(back.right, to.right, 1e-5);
}

TEST(Boxes, are_moved_back_to_where_their_offsets_were_taken_from) {
  expect_moved_back({2, 3, 12, 9}, {1, 5, 21, 8});
}

TEST(Boxes, are_moved_back_from_ones_that_are_smaller_than_a_pixel) {
  expect_moved_back({2, 3, 2.25f, 3}, {1, 5, 21, 8});
}

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// Boxes of which one side, some or all are no finite number, or too far off for 64 bits.
Array lost_boxes() {
  return boxes_of({{not_a_number, not_a_number, not_a_number, not_a_number},
                   {not_a_number, 0, 4, 4},
                   {0, 0, 4, not_a_number},
                   {-infinite, -infinite, infinite, infinite},
                   {infinite, 0, infinite, 4},
                   {0, -infinite, 4, 4},
                   {-3e38f, -3e38f, 3e38f, 3e38f},
                   {2e19f, 2e19f, 3e19f, 3e19f}});
}

TEST(Boxes, that_are_not_finite_are_moved_to_the_corner_of_the_image) {
  const Array whole = boxes_of({{2, 2, 6, 6}, {2, 2, 6, 6}, {2, 2, 6, 6}, {2, 2, 6, 6}});
  const Array by = boxes_of(
      {{not_a_number, 0, 0, 0}, {0, infinite, 0, 0}, {0, 0, not_a_number, 0}, {0, 0, 0, infinite}});
  const auto cut = [](std::span<const Tensor> in) {
    return moved_boxes(in[0], in[1], {}, {1, 2, 20, 30});
  };
  // The last offset is cut off as any that is too large: 62.5 times as wide.
  EXPECT_EQ(values_of({whole, by}, cut),
            (std::vector<float>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 2, 6, 30}));
  const std::vector<float> lost = values_of({lost_boxes(), Array(Shape{1, 8, 4})}, cut);
  for (std::size_t i = 0; i < 6 * 4; ++i) EXPECT_EQ(lost[i], i % 2 == 0 ? 1 : 2) << i;
}

TEST(Boxes, as_arrays_are_moved_back_too_and_cut_off_at_the_image) {
  const Array from = boxes_of({{2, 3, 12, 9}, {0, 0, 8, 8}});
  const Array to = boxes_of({{1, 5, 21, 8}, {-4, -4, 4, 4}});
  const auto both = [](std::span<const Tensor> in) {
    constexpr OffsetScale scale{10, 5};
    return moved_boxes(in[0], box_offsets(in[0], in[1], scale), scale, {0, 0, 20, 20});
  };
  const std::vector<float> expected{1, 5, 20, 8, 0, 0, 4, 4};
  const std::vector<float> back = values_of({from, to}, both);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(back[i], expected[i], 1e-5) << i;
}

TEST(Boxes, overlap_each_with_each_of_the_same_image) {
  const Array one = boxes_of({{0, 0, 2, 2}, {0, 0, 4, 4}});
  const Array other = boxes_of({{1, 1, 3, 3}, {9, 9, 9, 9}, {0, 0, 4, 4}});
  const std::vector<float> made = values_of(
      {one, other}, [](std::span<const Tensor> in) { return box_overlaps(in[0], in[1]); });
  const std::vector<float> expected{1.0f / 7, 0, 0.25f, 0.25f, 0, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_FLOAT_EQ(made[i], expected[i]) << i;
}

// By hand: the second overlaps the first by 0.9, the third the second by 0.9 and the first by 0.82;
// a box that is not kept hides none.
TEST(Boxes, are_kept_if_none_that_was_kept_before_overlaps_with_them_too_much) {
  const Array boxes =
      boxes_of({{0, 0, 20, 10}, {1, 0, 21, 10}, {2, 0, 22, 10}, {5, 5, 5, 9}, {40, 0, 60, 10}});
  const auto kept = [](double most) {
    return [most](std::span<const Tensor> in) { return not_suppressed(in[0], most); };
  };
  EXPECT_EQ(values_of({boxes}, kept(0.85)), (std::vector<float>{1, 0, 1, 0, 1}));
  EXPECT_EQ(values_of({boxes}, kept(0.7)), (std::vector<float>{1, 0, 0, 0, 1}));
}

TEST(Boxes, are_suppressed_in_tiles_whose_kernels_wait_for_each_other) {
  Step step;
  const Tensor kept = not_suppressed(step.input(Array(Shape{2, 2000, 4})), 0.7);
  // Four tiles look at ten pairs of 512 x 512 boxes; each is cleared in up to four rounds.
  const auto work = work_of<VectorWork>(kept);
  EXPECT_EQ(work.shape, (Shape{2, 5120, 512}));
  EXPECT_EQ(kept.graph->node(kept.id).op->traits().kernels, 6 + 4 * (1 + 3 * 4));
}

TEST(Boxes, that_are_none_are_suppressed_by_one_kernel_without_work) {
  Step step;
  const Tensor kept = not_suppressed(step.input(Array(Shape{2, 0, 4})), 0.7);
  EXPECT_EQ(work_of<VectorWork>(kept).shape.elements(), 0);
  EXPECT_EQ(kept.graph->node(kept.id).op->traits().kernels, 1);
}

TEST(Anchors, stand_in_the_middle_of_their_cell_in_three_shapes) {
  const AnchorGrid grid{.height = 2, .width = 3, .stride = 4, .side = 10};
  EXPECT_EQ(grid.anchors(), 18);
  const Box square = grid.anchor(15);  // the last cell: middle at 6, 10
  EXPECT_FLOAT_EQ(square.top, 1);
  EXPECT_FLOAT_EQ(square.right, 15);
  const Box wide = grid.anchor(16);
  EXPECT_FLOAT_EQ(wide.height(), 7);
  EXPECT_FLOAT_EQ(wide.width(), 14);
  const std::vector<float> made =
      values_of({Array(Shape{1, 1}, {15}, DType::s32)},
                [&](std::span<const Tensor> in) { return anchors_at(in[0], grid); });
  EXPECT_EQ(made, (std::vector<float>{1, 5, 11, 15}));
}

Pyramid small_pyramid() {
  return {.levels = {{.height = 4, .width = 6, .stride = 4, .side = 8},
                     {.height = 2, .width = 3, .stride = 8, .side = 16}},
          .whole = 32};
}

// Features that rise by 1 a pixel downwards and by 10 to the right, on each level.
Array slopes(const Pyramid& pyramid) {
  std::vector<float> values;
  for (const AnchorGrid& level : pyramid.levels) {
    for (std::int64_t i = 0; i < level.height * level.width; ++i) {
      const std::int64_t slope = i / level.width + 10 * (i % level.width);
      values.push_back(static_cast<float>(slope * level.stride));
    }
  }
  return Array(Shape{std::ssize(values), 1}, values);
}

Tensor seen(Tensor features, Tensor boxes, const Pyramid& pyramid, std::int64_t side) {
  const Tensor weights = without_gradient(region_weights(boxes, pyramid, side));
  const Tensor all = multiply_rows(gather(features, region_pixels(boxes, pyramid, side)), weights);
  const std::int64_t points = all.shape()[0] / 4;
  return reduce_sum(reshape(all, {4, points, all.shape()[1]}), std::vector<int>{0});
}

// Between pixels the mean of four of a slope is the slope itself: a small box reads the fine level,
// a large one the coarse one, and both read what lies in the middle of their parts.
TEST(Regions, read_a_slope_in_the_middle_of_their_parts) {
  const Pyramid pyramid = small_pyramid();
  const Array boxes = boxes_of({{2, 4, 10, 12}, {0, 0, 8, 16}});
  const std::vector<float> made =
      values_of({slopes(pyramid), boxes},
                [&](std::span<const Tensor> in) { return seen(in[0], in[1], pyramid, 2); });
  // Sides of 8 and of 11 pixels: levels 2 and 2; of 16, level 3.
  EXPECT_EQ(made, (std::vector<float>{4 + 60, 4 + 100, 8 + 60, 8 + 100,  //
                                      2 + 40, 2 + 120, 6 + 40, 6 + 120}));
  const std::vector<float> coarse =
      values_of({slopes(pyramid), boxes_of({{0, 0, 16, 16}})},
                [&](std::span<const Tensor> in) { return seen(in[0], in[1], pyramid, 1); });
  EXPECT_EQ(coarse, (std::vector<float>{8 + 80}));
  // The fine level would be as right; that the coarse one was read its rows say.
  const std::vector<float> rows =
      values_of({boxes_of({{0, 0, 16, 16}})},
                [&](std::span<const Tensor> in) { return region_pixels(in[0], pyramid, 1); });
  EXPECT_EQ(rows, (std::vector<float>{24 + 4, 24 + 5, 24 + 4, 24 + 5}));
}

TEST(Regions, of_boxes_that_are_lost_are_pixels_of_their_image) {
  const Pyramid pyramid = small_pyramid();
  const std::vector<float> pixels = values_of(
      {lost_boxes()}, [&](std::span<const Tensor> in) { return region_pixels(in[0], pyramid, 2); });
  ASSERT_EQ(pixels.size(), 4U * 8 * 4);
  for (const float pixel : pixels) {
    EXPECT_GE(pixel, 0);
    EXPECT_LT(pixel, static_cast<float>(pyramid.pixels()));
  }
}

// What is made of such a box is no number either, and so is a loss that is made of it.
TEST(Regions, of_boxes_that_are_not_finite_weigh_no_finite_number) {
  const Pyramid pyramid = small_pyramid();
  const std::vector<float> made =
      values_of({slopes(pyramid), lost_boxes()},
                [&](std::span<const Tensor> in) { return seen(in[0], in[1], pyramid, 1); });
  for (std::size_t i = 0; i < 6; ++i) EXPECT_FALSE(std::isfinite(made[i])) << i;
}

TEST(Regions, share_out_their_gradient_as_finite_differences_do) {
  const Pyramid pyramid = small_pyramid();
  check_gradient({numbers({30, 2}, 3)}, [&](std::span<const Tensor> in) {
    std::vector<Tensor> sides;
    for (const double one : {2.0, 3.0, 9.0, 13.0}) {
      sides.push_back(constant(*in[0].graph, one, Shape{1, 1, 1}, DType::f32));
    }
    return seen(in[0], concatenate(sides, 2), pyramid, 3);
  });
}

TEST(Outlines, are_cut_out_where_a_box_lies) {
  // The upper left quarter of a thing of 8 x 8 pixels.
  const Array outlines(Shape{1, 2, 2, 2}, {0, 0, 0, 0, 1, 0, 0, 0}, DType::s32);
  const Array things = boxes_of({{0, 0, 0, 0}, {4, 4, 12, 12}});
  const auto cut = [](std::span<const Tensor> in) {
    return cut_outlines(in[0], in[1], in[2], in[3], 2);
  };
  const Array chosen(Shape{1, 2}, {1, 1}, DType::s32);
  EXPECT_EQ(values_of({outlines, things, chosen, boxes_of({{4, 4, 12, 12}, {4, 4, 8, 8}})}, cut),
            (std::vector<float>{1, 0, 0, 0, 1, 1, 1, 1}));
  // Half of this box lies beside the thing.
  EXPECT_EQ(
      values_of({outlines, things, Array(Shape{1, 1}, {1}, DType::s32), boxes_of({{4, 0, 8, 8}})},
                cut),
      (std::vector<float>{0, 1, 0, 1}));
}

TEST(Outlines, are_empty_where_a_box_is_lost) {
  const Array outlines(Shape{1, 1, 2, 2}, {1, 1, 1, 1}, DType::s32);
  const auto cut = [](std::span<const Tensor> in) {
    return cut_outlines(in[0], in[1], in[2], in[3], 2);
  };
  const std::vector<float> made = values_of(
      {outlines, boxes_of({{4, 4, 12, 12}}), Array(Shape{1, 8}, DType::s32), lost_boxes()}, cut);
  EXPECT_EQ(made, std::vector<float>(8 * 4, 0.0f));
  // A thing without an extent is far off from all but itself.
  EXPECT_EQ(values_of({outlines, boxes_of({{0, 0, 0, 0}}), Array(Shape{1, 1}, DType::s32),
                       boxes_of({{0, 0, 1e30f, 1e30f}})},
                      cut),
            std::vector<float>(4, 0.0f));
}

TEST(Boxes, are_refused_where_they_have_no_four_sides) {
  EXPECT_EQ(error_of([] {
              values_of({Array(Shape{1, 2, 3})},
                        [](std::span<const Tensor> in) { return not_suppressed(in[0], 0.5); });
            }),
            "not_suppressed: f32[1,2,3] is no array of boxes; give [b,n,4]");
}

TEST(WithoutGradient, is_the_same_value_that_nothing_flows_through) {
  Step step;
  const Tensor x = step.input(Array(Shape{2}, {1, 2}));
  const Tensor same = without_gradient(x);
  EXPECT_EQ(step.value(same)[1], 2);
  EXPECT_FALSE(backward(same, step.input(Array(Shape{2}, {1, 1}))).contains(x.id));
}

}  // namespace
}  // namespace tpulab::test::boxes_test
