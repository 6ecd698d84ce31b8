#include <gtest/gtest.h>

#include "tests/engine/training/training_session.h"

namespace tpulab::batches_ahead_test {
namespace {

// Rows of 64 floats and a label of 8 bytes, in an epoch of 23 batches or of two.
TEST(BatchesAhead, are_held_beside_the_largest_program) {
  const auto held = [](std::int64_t batch, std::vector<int> devices) {
    TrainerOptions options;
    options.model = perceptron({96});
    options.max_epochs = -1;
    options.batch = batch;
    test::Session session({.devices = std::move(devices), .options = options});
    session.train(1);
    return (session.trainer.hbm_used() - session.trainer.runtime().hbm_used()).value;
  };
  constexpr std::int64_t row = 64 * 4 + 8;
  EXPECT_EQ(held(32, {0, 1}), 8 * 32 * row);
  EXPECT_EQ(held(360, {0, 1}), 360 * row);
  EXPECT_EQ(held(32, {0}), 0);
}

}  // namespace
}  // namespace tpulab::batches_ahead_test
