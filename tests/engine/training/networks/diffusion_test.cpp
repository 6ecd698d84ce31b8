#include <gtest/gtest.h>

#include <cmath>

#include "engine/training/dataset.h"
#include "engine/training/workload.h"
#include "tests/engine/ops/check_op.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::diffusion_test {
namespace {

StepWork one_row(const char* model) { return step_work(workload_named(model), {.batch = 1}); }

// 859,520,964 and 865,910,724 numbers in the published checkpoints' U-Nets.
TEST(Diffusion, has_the_published_parameters) {
  EXPECT_EQ(one_row("stable-diffusion-1").parameters(), 859'520'964);
  EXPECT_EQ(one_row("stable-diffusion-2").parameters(), 865'910'724);
}

// A pass at 64 x 64 latents is told to be 0.34 to 0.41 tera multiplications and additions, by
// whether products of attention are counted [memory].
TEST(Diffusion, has_about_the_published_operations) {
  EXPECT_NEAR(static_cast<double>(one_row("stable-diffusion-2").forward_flops().value) / 2e12,
              0.375, 0.035);
}

TEST(Diffusion, reads_moments_of_latents_and_a_text) {
  const Workload workload = workload_named("stable-diffusion-2");
  EXPECT_EQ(workload.network.row.row, (Shape{64 * 64 * 8 + 77 * 1024}));
  EXPECT_EQ(usual_optimizer(workload), OptimizerKind::adam);
}

// A prediction of all noise is right, one of none misses by its variance.
TEST(Diffusion, loses_by_the_square_of_the_noise_that_it_does_not_tell) {
  const Objective asked = trained_model("unet-tiny", {})->objective;
  const Example example{.row = {1, 2, 1}, .classes = 1};
  const Array outputs(Shape{2, 1, 2, 2}, {1, 1, -2, -2, 0.5f, 1, -1, 2});
  const Array labels(Shape{2}, {0, 0}, DType::s32);
  const auto loss = [&](std::span<const Tensor> in) { return asked.losses(in[0], in[1], example); };
  const auto right = [&](std::span<const Tensor> in) { return asked.right(in[0], in[1], example); };
  EXPECT_EQ(test::values_of({outputs, labels}, loss), (std::vector<float>{0, (0.25f + 9) / 2}));
  EXPECT_EQ(test::values_of({outputs, labels}, right), (std::vector<float>{1, 0.5f}));
}

TEST(Learning, of_a_denoiser_tells_the_noise_of_digits_it_has_not_seen) {
  TrainerOptions options;
  options.model = *trained_model("unet-tiny", {});
  options.data = &digits();
  options.max_epochs = 4;
  options.batch = 32;
  options.optimizer.learning_rate = 3e-3;
  test::Session session({.devices = {0}, .options = options});
  const std::optional<double> signs = session.train_to_the_end();
  ASSERT_TRUE(signs.has_value());
  EXPECT_GT(*signs, 0.7);  // of guesses half are right
}

}  // namespace
}  // namespace tpulab::diffusion_test
