#include <gtest/gtest.h>

#include "engine/training/dataset.h"
#include "tests/engine/training/training_session.h"

namespace tpulab::mlp_mixer_test {
namespace {

TrainerOptions of_digits(Model model) {
  TrainerOptions options;
  options.model = std::move(model);
  options.data = &digits();
  options.max_epochs = 8;
  options.optimizer.kind = OptimizerKind::adam;
  options.optimizer.learning_rate = 3e-3;
  return options;
}

TEST(Learning, mixers_and_vision_transformers_read_digits) {
  for (const Model& model :
       {mlp_mixer({.patch = 2, .layers = 2, .width = 32, .mixed = 16, .hidden = 64}),
        vision_transformer({.patch = 2, .layers = 2, .width = 32, .heads = 4, .hidden = 64})}) {
    test::Session session({.devices = {0}, .options = of_digits(model)});
    const std::optional<double> accuracy = session.train_to_the_end();
    ASSERT_TRUE(accuracy.has_value());
    EXPECT_GE(*accuracy, 0.75) << model.name({});
  }
}

}  // namespace
}  // namespace tpulab::mlp_mixer_test
