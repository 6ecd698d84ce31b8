#include "engine/session/settings/plan.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

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

TEST(Optimizers, take_the_weight_decay_that_is_set) {
  Settings settings;
  EXPECT_LT(trainer_options(settings).optimizer.weight_decay, 0);
  change(settings, "weight_decay", "0.1");
  EXPECT_EQ(trainer_options(settings).optimizer.weight_decay, 0.1);
  EXPECT_EQ(setting_named("weight_decay").show(settings), "0.1");
  EXPECT_THROW(change(settings, "weight_decay", "2"), Error);
  EXPECT_THROW(change(settings, "weight_decay", "-1"), Error);
  change(settings, "weight_decay", "auto");
  EXPECT_EQ(settings, Settings());
}

TEST(BatchText, tells_what_a_step_sums_and_what_an_epoch_has) {
  Settings settings;
  settings.accumulate_grad_batches = 4;
  EXPECT_EQ(batch_text(settings), "32 x 8 = 256 global, 4 summed = 1024 a step");
  settings.batch = 90;
  // 1,437 rows on 8 cores are 180 each.
  EXPECT_EQ(batch_text(settings),
            "90 x 8 = 720 global, 2 of 4 summed = 1440 a step, as an epoch has no more");
  settings.batch = 100;
  settings.drop_last = true;
  EXPECT_EQ(batch_text(settings), "100 x 8 = 800 global, summed with none: an epoch has one batch");
  settings.batch = 20;
  settings.limit_train_batches = {.count = 2};
  EXPECT_EQ(batch_text(settings),
            "20 x 8 = 160 global, 2 of 4 summed = 320 a step, as an epoch has no more");
  change_all(settings,
             std::vector<Assignment>{{"model", "resnet50"}, {"limit_train_batches", "1.0"}});
  EXPECT_EQ(batch_text(settings), "20 x 8 = 160 global, 4 summed = 640 a step");
}

}  // namespace
}  // namespace tpulab::plan_test
