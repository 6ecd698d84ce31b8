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

TEST(IdleAxes, are_asked_of_gpus_beside_slices) {
  const std::string told =
      Desk{Settings()}.answer("compare v3-8 v100x8 model=resnet50 straggler=none");
  EXPECT_NE(told.find("v100x8"), std::string::npos) << told;
  EXPECT_EQ(told.find("nothing runs on"), std::string::npos) << told;
}

}  // namespace
}  // namespace tpulab::idle_axes_test
