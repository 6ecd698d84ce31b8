// explain OP: which kernels a word means.
#include <gtest/gtest.h>

#include <set>

#include "tests/commands/desk.h"

namespace tpulab::explain_op_test {
namespace {

std::set<std::string> kernels(std::string_view lines) {
  Desk desk;
  const Reply reply = desk.type(lines);
  std::set<std::string> names;
  for (const OutputLine& row : reply.rows) {
    if (row.event == "explain.kernel") names.insert(std::get<std::string>(row.fields[0].value));
  }
  return names;
}

TEST(ExplainOp, takes_whole_words_before_parts_of_others) {
  for (const char* model : {"cnn", "resnet8"}) {
    const auto found = kernels(std::string("model ") + model + "; explain conv");
    EXPECT_GE(found.size(), 5U) << model;
    for (const std::string& name : found) {
      EXPECT_NE(name.find("conv"), name.find("convert")) << name;
    }
  }
}

TEST(ExplainOp, takes_parts_where_no_kernel_has_the_word) {
  const auto found = kernels("model cnn; explain convo");
  EXPECT_GE(found.size(), 3U);
  for (const std::string& name : found) EXPECT_NE(name.find("convolution"), name.npos) << name;
}

// 1.60 us beside 978 us are not 100 % below.
TEST(ExplainOp, of_a_claim_that_is_next_to_nothing_says_what_part_it_is) {
  Desk desk{Settings{}};
  desk.type("model llama3-8b; slice v5p-128; batch 1; stack jax; remat full");
  const std::string told = desk.answer("explain all-gather");
  EXPECT_EQ(told.find("100 % below"), std::string::npos) << told;
  for (const char* part : {" % below", "then overhead 1.60 us, 0."}) {
    EXPECT_NE(told.find(part), std::string::npos) << told;
  }
}

TEST(ExplainOp, of_a_setting_says_where_it_is_asked) {
  const std::string refusal = Desk().type("explain batch=64").lines.back();
  EXPECT_NE(refusal.find("type `batch 64` first, or ask `forecast batch=64`"), std::string::npos)
      << refusal;
}

TEST(ExplainOp, is_of_the_newest_run_until_a_setting_changes_or_it_is_reset) {
  Desk desk;
  const auto explained = [&](const std::string& before) {
    desk.type(before);
    const std::string told = desk.type("explain dot").lines.front();
    return told.substr(0, told.find(" on "));
  };
  EXPECT_EQ(explained("run"), "train step of run 1, mlp 64-16-10");
  EXPECT_EQ(explained("hidden 32"), "of the run that comes next, with hidden=(32) unlike run 1:");
  EXPECT_EQ(explained("hidden 16"), "train step of run 1, mlp 64-16-10");
  EXPECT_EQ(explained("run hidden=64 max_steps=2"), "train step of run 2, mlp 64-64-10");
  EXPECT_EQ(explained("reset"), "train step of mlp 64-16-10");
}

}  // namespace
}  // namespace tpulab::explain_op_test
