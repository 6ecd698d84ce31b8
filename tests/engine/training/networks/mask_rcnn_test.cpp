#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/training/dataset.h"
#include "engine/training/gradient.h"
#include "engine/training/workload.h"
#include "tests/engine/ops/check_op.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::mask_rcnn_test {
namespace {

Model small_network() { return *trained_model("mask-rcnn-tiny", {}); }

TEST(MaskRcnn, has_torchvisions_parameters_and_those_of_its_fixed_norms) {
  // maskrcnn_resnet50_fpn has 44,401,393; norms that do not learn are none of them there, of 26,560
  // channels a factor and a summand.
  EXPECT_EQ(step_work(workload_named("mask-rcnn"), {.batch = 1}).parameters(),
            44'401'393 + 2 * 26'560);
}

// 2 for each multiplication at 832 x 1344, of which maps are a 4th, 8th .. 64th a side.
TEST(MaskRcnn, does_the_operations_that_a_hand_count_gives) {
  const double image = 832.0 * 1344;
  const auto residual = [&](double width, double from, double blocks, double pixels,
                            double before) {
    const double block = 4 * width * width + 9 * width * width + 4 * width * width;
    // The first block reads what the stage before made, and strides in its second convolution.
    const double first = before * from * width + pixels * (13 * width * width + 4 * from * width);
    return first + (blocks - 1) * pixels * block;
  };
  double count = image / 4 * 147 * 64;
  count += residual(64, 64, 3, image / 16, image / 16);
  count += residual(128, 256, 4, image / 64, image / 16);
  count += residual(256, 512, 6, image / 256, image / 64);
  count += residual(512, 1024, 3, image / 1024, image / 256);
  const double conv = 9 * 256 * 256;
  double pixels = image / 16;
  for (const double channels : {256, 512, 1024, 2048}) {
    count += pixels * (channels * 256 + conv);  // the pyramid
    count += pixels * (conv + 256 * 15);        // its anchors
    pixels /= 4;
  }
  count += pixels * (conv + 256 * 15);
  count += 512.0 * (49 * 256 * 1024 + 1024 * 1024 + 1024 * 455);
  count += 128.0 * (196 * (4 * conv + 4 * 256 * 256) + 784 * (256 * 91 + 91));
  const auto flops = step_work(workload_named("mask-rcnn"), {.batch = 1}).forward_flops().value;
  EXPECT_NEAR(static_cast<double>(flops) / (2 * count), 1, 1e-9);
}

TEST(MaskRcnn, has_an_anchor_of_three_shapes_in_each_cell_of_five_maps) {
  const RegionLabels places(mask_rcnn_sizes(), 832, 1344);
  ASSERT_EQ(places.levels.size(), 5U);
  std::int64_t cells = 0;
  for (const std::int64_t part : {1, 2, 4, 8, 16}) cells += 208 / part * (336 / part);
  EXPECT_EQ(places.classes, 15 * cells);
  constexpr std::int64_t of_a_thing = 1 + 4 + 112 * 112;
  EXPECT_EQ(places.all, places.classes + 100 * of_a_thing);
  EXPECT_EQ(workload_named("mask-rcnn").network.row.labels, places.all);
}

TEST(MaskRcnn, takes_images_whose_sides_can_be_halved_six_times) {
  const Workload network = workload_named("mask-rcnn");
  EXPECT_EQ(network.network.of_pixels(network.network.row, 1024).row, (Shape{1024, 1024, 3}));
  EXPECT_EQ(test::error_of([&] { step_work(network, {.batch = 1, .image = 800}); }),
            "Mask R-CNN halves each side six times, which 800 does not allow; choose a multiple of "
            "64 as image");
}

// The loss of two images of figures, and its gradients, on one core at full precision.
class RegionLosses : public testing::Test {
 protected:
  struct Result {
    float loss = 0;
    std::vector<Array> gradients;
  };

  Result run() {
    Runtime runtime(test::machine_of("v3-8", {0}), cache_, workers_, metrics_, {});
    runtime.begin_step(StepKind::train, 0, 2);
    const auto leaf = [&](const Type& type, std::span<const float> values, const char* name) {
      return runtime.leaf(
          runtime.place(type, Array(type.shape, {values.begin(), values.end()}, type.dtype), name));
    };
    std::vector<Tensor> leaves;
    for (const Array& value : values_) {
      leaves.push_back(
          leaf({value.shape(), DType::f32, Placement::shared}, value.values(), "parameter"));
    }
    std::vector<float> images;
    std::vector<float> said;
    for (const std::int64_t row : {0, 1}) {
      for (const float value : figures().values_of(row)) images.push_back(value);
      for (const int label : figures().labels_of(row)) said.push_back(static_cast<float>(label));
    }
    const Tensor x = leaf({example_.row.of_rows(2), DType::f32, Placement::per_core}, images, "x");
    const Tensor labels =
        leaf({Shape{2 * example_.labels}, DType::s32, Placement::per_core}, said, "labels");
    Scope scope(leaves, DType::f32, MatmulPrecision::highest, one_device,
                {.random = {5, 1}, .labels = labels});
    const Tensor loss = mean(model_.forward(scope, x, example_));
    std::vector<Live> live{{loss}};
    for (const Tensor& one : gradient(loss, leaves)) live.push_back({one});
    const std::vector<BufferId> made = runtime.mark_step(live, "test", "");
    runtime.end_step();
    Result result{runtime.peek(made[0])[0], {}};
    for (std::size_t i = 1; i < made.size(); ++i) {
      const Array& values = runtime.peek(made[i]);
      result.gradients.emplace_back(
          values.shape(), std::vector<float>(values.values().begin(), values.values().end()));
    }
    return result;
  }

  Model model_ = small_network();
  Example example_ = figures().example(Input::outlines);
  std::vector<Parameter> parameters_ = parameters_of(model_, example_, DType::f32);
  std::vector<Array> values_ = initial_values(parameters_, 3);

 private:
  ProgramCache cache_;
  WorkerPool workers_{1};
  Metrics metrics_;
};

// These change no box that is proposed, so that nothing jumps.
TEST_F(RegionLosses, have_the_gradient_of_finite_differences) {
  const Result whole = run();
  int seen = 0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const std::string& name = parameters_[i].name;
    if (!name.ends_with(".bias") ||
        !(name.starts_with("boxes.classes") || name.starts_with("boxes.offsets") ||
          name.starts_with("outlines.classes"))) {
      continue;
    }
    ++seen;
    for (const std::int64_t at : {1, 3}) {
      constexpr float step = 0.01f;
      const float before = values_[i][at];
      values_[i][at] = before + step;
      const float above = run().loss;
      values_[i][at] = before - step;
      const float below = run().loss;
      values_[i][at] = before;
      const float slope = (above - below) / (2 * step);
      EXPECT_NEAR(whole.gradients[i][at], slope, 3e-4 + 0.01 * std::abs(slope)) << name << at;
    }
  }
  EXPECT_EQ(seen, 3);
}

TEST_F(RegionLosses, reach_every_parameter) {
  const Result whole = run();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto values = whole.gradients[i].values();
    EXPECT_TRUE(std::ranges::any_of(values, [](float one) { return one != 0; }))
        << parameters_[i].name;
  }
}

// What was trained before neither learns nor is walked back through.
TEST(MaskRcnn, does_not_go_back_through_what_was_trained_before) {
  const Workload whole = workload_named("mask-rcnn");
  RegionSizes sizes = mask_rcnn_sizes();
  sizes.backbone.frozen = false;
  const Workload learning{"all",
                          {.model = region_detector("all", sizes), .row = whole.network.row}};
  const auto backward = [](const Workload& one) {
    Flops sum;
    const StepWork step = step_work(one, {.batch = 1});
    for (const Block& block : step.blocks) {
      for (const NamedKernel& kernel : block.backward) {
        for (const Work& item : kernel.work->items) {
          if (const auto* product = std::get_if<MatrixWork>(&item)) sum += product->flops();
        }
      }
    }
    return static_cast<double>(sum.value);
  };
  // The stem's weights, those and the inputs of three blocks of the first stage, and what flows
  // into them from the second stage and the pyramid.
  const double pixels = 832.0 * 1344 / 16;
  const double stem = 4 * 147 * 64;
  const double blocks = 64 * 64 + 2 * 256 * 64 + 3 * (9 + 4) * 64 * 64 + 64 * 256;
  const double behind = 256 * 128 + 256 * 512 / 4.0 + 256 * 256;
  EXPECT_NEAR((backward(learning) - backward(whole)) / (2 * pixels * (stem + 2 * blocks + behind)),
              1, 1e-9);
}

TEST(Figures, are_told_by_boxes_that_their_outlines_fill) {
  const Dataset& data = figures();
  const RegionSizes sizes = small_mask_rcnn_sizes();
  const RegionLabels places(sizes, 32, 32);
  EXPECT_EQ(data.labels_per_row, places.all);
  for (std::int64_t row = 0; row < data.rows(); ++row) {
    const auto labels = data.labels_of(row);
    const auto at = [&](std::int64_t place) { return labels[static_cast<std::size_t>(place)]; };
    int things = 0;
    for (std::int64_t i = 0; i < sizes.things; ++i) {
      const int kind = at(places.classes + i);
      int covered = 0;
      for (int k = 0; k < 64; ++k) covered += at(places.outlines + 64 * i + k);
      // Of 8 x 8 points a disc covers 52, a triangle every second one or two of a row.
      EXPECT_EQ(covered, kind == 1 ? 52 : kind == 2 ? 64 : kind == 3 ? 32 : 0) << row;
      things += kind > 0 ? 1 : 0;
    }
    EXPECT_GE(things, 1) << row;
    int with = 0;
    int without = 0;
    for (const RegionLabels::Level& level : places.levels) {
      for (std::int64_t i = 0; i < level.grid.anchors(); ++i) {
        with += at(level.counts + i) == 1 ? 1 : 0;
        without += at(level.counts + i) == 0 ? 1 : 0;
      }
    }
    EXPECT_GE(with, 1) << row;
    EXPECT_EQ(with + without, sizes.asked) << row;
  }
}

TEST(Learning, mask_rcnn_finds_and_cuts_out_most_figures_it_has_not_seen) {
  TrainerOptions options;
  options.model = small_network();
  options.data = &figures();
  options.max_epochs = 6;
  options.batch = 16;
  options.optimizer.kind = OptimizerKind::adam;
  options.optimizer.learning_rate = 4e-3;
  test::Session session({.devices = {0}, .options = options});
  const std::optional<double> accuracy = session.train_to_the_end();
  ASSERT_TRUE(accuracy.has_value());
  EXPECT_GT(*accuracy, 0.5);
}

}  // namespace
}  // namespace tpulab::mask_rcnn_test
