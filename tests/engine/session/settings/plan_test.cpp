#include "engine/session/settings/plan.h"

#include <gtest/gtest.h>

namespace tpulab::plan_test {
namespace {

TEST(Epochs, give_way_to_steps_that_are_counted_as_in_lightning) {
  Settings settings;
  EXPECT_EQ(epochs_of(settings), 20);
  settings.max_steps = 300;
  EXPECT_EQ(epochs_of(settings), -1);
  settings.max_epochs = 3;
  EXPECT_EQ(epochs_of(settings), 3);
}

}  // namespace
}  // namespace tpulab::plan_test
