#include "commands/grid.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab::grid_test {
namespace {

using Words = std::vector<std::string>;

std::string refusal_of(const Words& words) {
  try {
    count_of(axes_of(words, "sweep NAME=V1,V2"));
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

std::vector<Combination> all_of(const std::vector<Axis>& axes) {
  std::vector<Combination> all;
  for (std::size_t i = 0; i < count_of(axes); ++i) all.push_back(combination(Settings(), axes, i));
  return all;
}

TEST(Grid, all_combinations_come_with_the_last_axis_fastest) {
  const Words words{"slice=v2-8,v3-8", "batch=32,128,1024"};
  const auto all = all_of(axes_of(words, ""));
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[0].values, (Words{"v2-8", "32"}));
  EXPECT_EQ(all[1].values, (Words{"v2-8", "128"}));
  EXPECT_EQ(all[5].settings.slice, "v3-8");
  EXPECT_EQ(all[5].settings.batch, 1024);
}

TEST(Grid, commas_in_brackets_separate_nothing) {
  const auto axes = axes_of(Words{"hidden=(512,512),(64)"}, "");
  ASSERT_EQ(axes.size(), 1U);
  EXPECT_EQ(axes[0].values, (Words{"(512,512)", "(64)"}));
}

TEST(Grid, a_slice_may_stand_alone) {
  const auto axes = axes_of(Words{"v3-8", "v2-8", "batch=64"}, "");
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].name, "slice");
  EXPECT_EQ(axes[0].values, (Words{"v3-8", "v2-8"}));
}

TEST(Grid, a_combination_that_cannot_be_keeps_its_reason) {
  // 64 rows over 8 cores are 8 each; over 128 cores they cannot be shared.
  const Words words{"slice=v3-8,v3-128", "batch.global=64"};
  const auto all = all_of(axes_of(words, ""));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].refusal, "");
  EXPECT_EQ(all[0].settings.batch, 8);
  EXPECT_NE(all[1].refusal.find("cannot be shared evenly by 128 devices"), std::string::npos);
}

TEST(Grid, what_can_never_be_is_refused_with_the_nearest_name) {
  EXPECT_NE(refusal_of({"slice=v3-8,v3-9"}).find("the nearest are v3-8"), std::string::npos);
  EXPECT_NE(refusal_of({"btach=32"}).find("did you mean batch?"), std::string::npos);
  EXPECT_NE(refusal_of({"batch=32,many"}).find("batch cannot be many"), std::string::npos);
  EXPECT_NE(refusal_of({"batch=32,,64"}).find("empty value"), std::string::npos);
  EXPECT_NE(refusal_of({"batch=32", "batch=64"}).find("given twice"), std::string::npos);
  EXPECT_NE(refusal_of({"fast"}).find("neither NAME=VALUE nor a slice"), std::string::npos);
}

TEST(Grid, too_many_combinations_are_refused_before_they_are_made) {
  std::string values = "1";
  for (int i = 2; i <= 1001; ++i) values += "," + std::to_string(i);
  const Words axes{"batch=" + values, "seed=" + values, "max_steps=" + values,
                   "log_every_n_steps=" + values};
  EXPECT_NE(refusal_of(axes).find("more than 10^12"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::grid_test
