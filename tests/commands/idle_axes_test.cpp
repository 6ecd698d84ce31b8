#include "commands/idle_axes.h"

#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::idle_axes_test {
namespace {

TEST(IdleAxes, say_in_how_many_rows_a_setting_changes_nothing) {
  Desk desk{Settings()};
  const std::string some = desk.answer("sweep devices=1,auto straggler=none,core:3:2");
  EXPECT_NE(some.find("straggler: no effect on mlp, where nothing uses core 3, in 1 of 4 rows"),
            std::string::npos)
      << some;
  const std::string all = desk.answer("compare model=bert-base,gnmt hidden=(64)");
  EXPECT_NE(all.find("hidden: no effect on bert-base, of which only the time is known, in 1 of 2"),
            std::string::npos)
      << all;
}

TEST(IdleAxes, are_those_that_change_what_is_learned_alone) {
  const std::string told = Desk().answer("sweep learning_rate=0.1,0.01");
  EXPECT_NE(
      told.find("learning_rate: changes what is learned and no time: `run learning_rate=0.1`"),
      std::string::npos)
      << told;
  Desk desk;
  EXPECT_FALSE(desk.type("run; run learning_rate=0.01; compare last").failed);
}

TEST(IdleAxes, that_one_reason_holds_back_are_told_in_one_line) {
  const std::string told = Desk{Settings()}.answer(
      "compare v3-8,v100x4,v100x8 model=resnet50 stack=jax precision=bf16-mixed");
  EXPECT_NE(told.find("stack, precision: no effect on GPUs, whose figures know the network, its "
                      "rows and gpu.precision alone, in 2 of 3 rows"),
            std::string::npos)
      << told;
}

TEST(IdleAxes, are_asked_of_gpus_beside_slices) {
  const std::string told =
      Desk{Settings()}.answer("compare v3-8 v100x8 model=resnet50 straggler=none");
  EXPECT_NE(told.find("v100x8"), std::string::npos) << told;
  EXPECT_EQ(told.find("nothing runs on"), std::string::npos) << told;
}

}  // namespace
}  // namespace tpulab::idle_axes_test
