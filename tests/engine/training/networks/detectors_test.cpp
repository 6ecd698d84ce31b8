#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/base/error.h"
#include "engine/training/dataset.h"
#include "engine/training/workload.h"
#include "tests/engine/ops/check_op.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::detectors_test {
namespace {

constexpr std::int64_t ssd_boxes = 8732;  // [arXiv 1512.02325]

Model small_detector() { return *trained_model("ssd-tiny", {}); }

TEST(Detectors, of_300_pixels_have_the_boxes_and_parameters_that_a_hand_count_gives) {
  const Workload ssd = workload_named("ssd");
  EXPECT_EQ(ssd.network.row.labels, ssd_boxes * labels_of_a_box);
  // torchvision's ResNet-34 without its last stage and classes; five pairs of a 1x1 and a 3x3
  // convolution; heads of 81 classes and 4 offsets for 4, 6, 6, 6, 4 and 4 boxes a cell.
  const std::int64_t backbone = 21'797'672 - 13'114'368 - 513'000;
  const auto pair = [](std::int64_t from, std::int64_t narrow, std::int64_t to) {
    return from * narrow + narrow + 9 * narrow * to + to;
  };
  const std::int64_t further =
      pair(256, 256, 512) + pair(512, 256, 512) + pair(512, 128, 256) + 2 * pair(256, 128, 256);
  const auto head = [](std::int64_t from, std::int64_t boxes) {
    return (9 * from + 1) * boxes * 85;
  };
  const std::int64_t heads = head(256, 4) + 2 * head(512, 6) + head(256, 6) + 2 * head(256, 4);
  EXPECT_EQ(step_work(ssd, {.batch = 1}).parameters(), backbone + further + heads);
}

TEST(Detectors, have_a_label_for_each_box_of_other_sizes_too) {
  // 64, 32, 16, 8, 6 and 4 cells a side.
  const std::int64_t boxes = 4 * 64 * 64 + 6 * (32 * 32 + 16 * 16 + 8 * 8) + 4 * (6 * 6 + 4 * 4);
  const Workload ssd = workload_named("ssd");
  EXPECT_EQ(ssd.network.of_pixels(ssd.network.row, 512).labels, boxes * labels_of_a_box);
  EXPECT_GT(step_work(ssd, {.batch = 1, .image = 512}).forward_flops().value,
            2 * step_work(ssd, {.batch = 1}).forward_flops().value);
  EXPECT_THROW(step_work(ssd, {.batch = 1, .image = 128}), Error);
}

// Three boxes, two classes beside none; the second is an object of class 2, a hundredth too low and
// two too far right. Of the others three times one count, which is both.
TEST(Detectors, lose_by_classes_and_by_how_far_boxes_are_off) {
  const Objective asked = small_detector().objective;
  const Example example{.row = {8, 8, 1}, .classes = 3, .labels = 15};
  std::vector<float> outputs(21, 0.0f);
  outputs[7 + 3] = 0.51f;
  outputs[7 + 4] = 4;
  std::vector<float> labels(15, 0.0f);
  labels[5] = 2;
  labels[6] = 50;
  labels[7] = 200;
  const auto loss = [&](std::span<const Tensor> in) { return asked.losses(in[0], in[1], example); };
  const std::vector<float> made =
      test::values_of({Array(Shape{1, 3, 7}, outputs), Array(Shape{15}, labels, DType::s32)}, loss);
  EXPECT_NEAR(made.at(0), 3 * std::log(3.0) + 0.5 * 0.01 * 0.01 + (2 - 0.5), 1e-5);
}

TEST(Detectors, lose_with_the_gradient_of_finite_differences) {
  const Objective asked = small_detector().objective;
  const Example example{.row = {8, 8, 1}, .classes = 3, .labels = 20};
  std::vector<float> labels(20, 0.0f);
  labels[0] = 1;
  labels[2] = 30;
  labels[10] = 2;
  labels[13] = -250;
  const Array fixed(Shape{20}, labels, DType::s32);
  test::check_gradient({test::numbers({1, 4, 7}, 3)}, [&](std::span<const Tensor> in) {
    Graph& graph = *in[0].graph;
    std::vector<Tensor> parts;
    for (const float label : labels) {
      parts.push_back(constant(graph, label, Shape{1}, DType::s32));
    }
    return asked.losses(in[0], concatenate(parts, 0), example);
  });
}

TEST(Detectors, count_the_objects_whose_class_is_told) {
  const Objective asked = small_detector().objective;
  const Example example{.row = {8, 8, 1}, .classes = 2, .labels = 15};
  // Two objects of class 1, of which the first is told; the empty box is told as well.
  const Array outputs(Shape{1, 3, 6}, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  const Array labels(Shape{15}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, DType::s32);
  const auto right = [&](std::span<const Tensor> in) { return asked.right(in[0], in[1], example); };
  EXPECT_EQ(test::values_of({outputs, labels}, right), (std::vector<float>{0.5f}));
}

TEST(Scenes, say_of_each_cell_which_digit_has_its_middle_there) {
  const Dataset& data = scenes();
  EXPECT_EQ(data.training_rows * 5, data.rows() * 4);
  const Example row = data.example(Input::scene);
  EXPECT_EQ(row.classes, 11);
  for (const std::int64_t at : {std::int64_t{0}, data.rows() - 1}) {
    const auto labels = data.labels_of(at);
    int objects = 0;
    for (std::size_t cell = 0; cell * labels_of_a_box < labels.size(); ++cell) {
      const auto of_cell = labels.subspan(cell * labels_of_a_box, labels_of_a_box);
      objects += of_cell[0] > 0 ? 1 : 0;
      // A middle is two pixels from the cell's at most: a quarter of the box, counted ten times.
      EXPECT_LE(std::abs(of_cell[1]), 250);
      EXPECT_LE(std::abs(of_cell[2]), 250);
      EXPECT_LE(of_cell[3], 0);  // no digit is larger than the box
    }
    EXPECT_EQ(objects, 2);
  }
}

TEST(Scenes, are_refused_by_models_that_ask_for_one_class) {
  EXPECT_EQ(test::error_of([] { scenes().example(Input::image); }),
            "the model reads an image, and a row of scenes is an image with things in it; the "
            "model reads data digits, and scenes is read by ssd-tiny");
}

TEST(Learning, detectors_find_most_digits_of_scenes_they_have_not_seen) {
  TrainerOptions options;
  options.model = small_detector();
  options.data = &scenes();
  options.max_epochs = 6;
  options.batch = 32;
  options.optimizer.learning_rate = 4e-3;
  test::Session session({.devices = {0}, .options = options});
  const std::optional<double> accuracy = session.train_to_the_end();
  ASSERT_TRUE(accuracy.has_value());
  EXPECT_GT(*accuracy, 0.5);
}

}  // namespace
}  // namespace tpulab::detectors_test
