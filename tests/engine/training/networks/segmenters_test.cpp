#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/training/dataset.h"
#include "engine/training/workload.h"
#include "tests/engine/ops/check_op.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::segmenters_test {
namespace {

Model small_segmenter() { return *trained_model("unet3d-tiny", {}); }

TEST(Segmenters, have_the_parameters_that_a_hand_count_gives) {
  // Two convolutions of 27 taps a level, each with a scale and a bias a channel.
  const auto level = [](std::int64_t from, std::int64_t to) {
    return 27 * (from * to + to * to) + 4 * to;
  };
  const auto up = [&](std::int64_t from, std::int64_t to) {
    return 8 * from * to + to + level(2 * to, to);
  };
  const std::int64_t down = level(1, 32) + level(32, 64) + level(64, 128) + level(128, 256) +
                            level(256, 320) + level(320, 320);
  const std::int64_t back = up(320, 320) + up(320, 256) + up(256, 128) + up(128, 64) + up(64, 32);
  EXPECT_EQ(step_work(workload_named("unet3d"), {.batch = 1}).parameters(),
            down + back + 32 * 3 + 3);
}

// 2 for each multiplication; of 128^3 voxels an eighth is left on each level.
TEST(Segmenters, do_the_operations_that_a_hand_count_gives) {
  double voxels = 128.0 * 128 * 128;
  const auto level = [](double from, double to) { return 27 * (from * to + to * to); };
  double count = voxels * (level(1, 32) + level(64, 32) + 32 * 3);
  const std::array<double, 5> filters{32, 64, 128, 256, 320};
  for (std::size_t i = 1; i < filters.size(); ++i) {
    // Each coarse voxel writes eight fine ones.
    count += voxels / 8 * 8 * filters[i] * filters[i - 1];
    voxels /= 8;
    count += voxels * (level(filters[i - 1], filters[i]) + level(2 * filters[i], filters[i]));
  }
  count += voxels / 8 * (level(320, 320) + 8.0 * 320 * 320);
  const auto flops = step_work(workload_named("unet3d"), {.batch = 1}).forward_flops().value;
  EXPECT_NEAR(static_cast<double>(flops) / (2 * count), 1, 1e-9);
}

TEST(Segmenters, take_volumes_whose_sides_can_be_halved_five_times) {
  const Workload unet = workload_named("unet3d");
  EXPECT_EQ(unet.network.of_pixels(unet.network.row, 64).labels, 64 * 64 * 64);
  EXPECT_EQ(test::error_of([&] { step_work(unet, {.batch = 1, .image = 100}); }),
            "U-Net 3D halves each side five times, which 100 does not allow; choose a multiple of "
            "32 as image");
}

const Example two_voxels{.row = {1, 1, 2, 1}, .classes = 3, .labels = 2};

// The first voxel is of class 1, the second of none. Shares of both are a third a class: class 1
// has 1/3 in common, of 1 and 2/3; class 2 nothing, of 0 and 2/3.
TEST(Segmenters, lose_by_entropy_and_by_parts_that_do_not_overlap) {
  const auto losses = small_segmenter().objective.losses;
  const std::vector<float> made =
      test::values_of({Array(Shape{1, 1, 1, 2, 3}), Array(Shape{2}, {1, 0}, DType::s32)},
                      [&](std::span<const Tensor> in) { return losses(in[0], in[1], two_voxels); });
  const double overlap = (2.0 / 3 / (1 + 2.0 / 3) + 0) / 2;
  EXPECT_NEAR(made.at(0), (std::log(3.0) + 1 - overlap) / 2, 1e-5);
}

TEST(Segmenters, lose_with_the_gradient_of_finite_differences) {
  const auto losses = small_segmenter().objective.losses;
  test::check_gradient({test::numbers({1, 1, 1, 2, 3}, 3)}, [&](std::span<const Tensor> in) {
    Graph& graph = *in[0].graph;
    const Tensor labels = concatenate(
        {constant(graph, 2, Shape{1}, DType::s32), constant(graph, 1, Shape{1}, DType::s32)}, 0);
    return losses(in[0], labels, two_voxels);
  });
}

// Class 1 is found in both voxels, of which one is; class 2 nowhere, where it is not.
TEST(Segmenters, count_how_much_of_what_is_found_is_there) {
  const auto right = small_segmenter().objective.right;
  const std::vector<float> made = test::values_of(
      {Array(Shape{1, 1, 1, 2, 3}, {0, 1, 0, 0, 1, 0}), Array(Shape{2}, {1, 0}, DType::s32)},
      [&](std::span<const Tensor> in) { return right(in[0], in[1], two_voxels); });
  EXPECT_NEAR(made.at(0), (2.0 / 3 + 1) / 2, 1e-5);
}

TEST(Solids, are_as_large_as_their_reach) {
  const Dataset& data = solids();
  EXPECT_EQ(data.training_rows * 5, data.rows() * 4);
  for (std::int64_t row = 0; row < data.rows(); ++row) {
    const auto labels = data.labels_of(row);
    const auto boxes = std::ranges::count(labels, 2);
    // A reach of 2, 3 or 4 voxels from the middle: 3, 5 or 7 a side.
    EXPECT_TRUE(boxes == 27 || boxes == 125 || boxes == 343) << row;
    EXPECT_LE(std::ranges::count(labels, 1), 257) << row;  // voxels in a ball of reach 4
  }
}

TEST(Learning, segmenters_find_most_of_solids_they_have_not_seen) {
  TrainerOptions options;
  options.model = small_segmenter();
  options.data = &solids();
  options.max_epochs = 4;
  options.batch = 2;
  options.optimizer.kind = OptimizerKind::adam;
  options.optimizer.learning_rate = 1e-2;
  test::Session session({.devices = {0}, .options = options});
  const std::optional<double> overlap = session.train_to_the_end();
  ASSERT_TRUE(overlap.has_value());
  EXPECT_GT(*overlap, 0.5);
}

}  // namespace
}  // namespace tpulab::segmenters_test
