// Which steps the words of advise and explain stand for.
#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::advice_evidence_test {
namespace {

// The second line of advice on a habit, which is there whatever runs.
std::string seen(std::string_view lines) {
  Desk desk;
  desk.type("item_every_n_steps 1");
  desk.type(lines);
  return desk.type("advise").lines.at(1);
}

TEST(AdviceEvidence, of_a_run_are_its_own_steps_where_there_are_enough) {
  EXPECT_TRUE(seen("run").starts_with("1. "));
}

TEST(AdviceEvidence, of_a_replay_says_how_many_steps_it_has) {
  EXPECT_EQ(seen(""), "seen in a run of 12 steps from a cold start:");
  EXPECT_EQ(seen("run; run"),
            "seen in a run of 12 steps from a cold start, a replay with its settings:");
}

TEST(AdviceEvidence, of_a_run_without_a_steady_step_is_of_those_that_would_follow) {
  EXPECT_EQ(seen("run max_steps=1"),
            "seen in steps that would follow such a run, as it has no steady one:");
}

// Of 161 in the program of each batch.
TEST(AdviceEvidence, of_a_step_that_sums_batches_are_the_products_of_all_of_them) {
  Desk desk{Settings{}};
  const std::string answer = desk.answer(
      "batch 16; model resnet50; numbers off; matmul.precision highest; max_steps 12; "
      "accumulate_grad_batches 2; advise");
  EXPECT_NE(answer.find("322 products of a step take 6 bf16 passes each"), std::string::npos)
      << answer;
}

TEST(AdviceEvidence, of_explain_are_the_steps_that_the_settings_have) {
  Desk desk;
  const std::string answer = desk.answer("run; explain");
  EXPECT_NE(answer.find("of all steady ones of the 12 steps that a run with these settings has:"),
            std::string::npos)
      << answer;
}

TEST(AdviceEvidence, of_explain_is_the_run_on_the_screen_with_the_values_that_it_had) {
  Desk desk;
  desk.type("run max_steps=20 class_weights=on");
  const auto about_the_run = [&] {
    const auto lines = desk.type("explain").lines;
    return lines.at(0).starts_with("of run 1, which had max_steps=20, class_weights=on, replayed");
  };
  EXPECT_TRUE(about_the_run());
  EXPECT_NE(desk.answer("explain").find("CPU fallback"), std::string::npos);
  EXPECT_EQ(desk.type("explain core").lines.at(0).substr(0, 8), "of run 1");
  desk.type("batch 64");
  EXPECT_FALSE(about_the_run());
}

}  // namespace
}  // namespace tpulab::advice_evidence_test
