#include "commands/run_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>

#include "tests/commands/desk.h"

namespace tpulab::run_comparison_test {
namespace {

double number_in(const Reply& reply, const std::string& name) {
  const auto field = std::ranges::find(reply.fields, name, &EventField::name);
  return field == reply.fields.end() ? -1 : std::get<double>(field->value);
}

// Of two runs that do the same, the second finds all programs compiled.
void expect_time_of_a_cold_start(const std::string& settings) {
  Desk desk;
  desk.type("set max_steps=-1 learning_rate=0.01 " + settings + "; run; run");
  const Reply reply = desk.type("compare last 0.01");
  const double cold = in_seconds(desk.engine.ended_runs().at(0).accuracies.at(0).tpu_time);
  for (const char* const which : {"before", "after"}) {
    EXPECT_NEAR(number_in(reply, which + std::string("_TPU_time_to_accuracy_s")), cold, 1e-9)
        << settings;
  }
}

TEST(RunComparison, tells_the_time_to_an_accuracy_as_from_a_cold_start_whenever_it_validates) {
  expect_time_of_a_cold_start("max_epochs=2");
  expect_time_of_a_cold_start("max_epochs=4 check_val_every_n_epoch=2");
  expect_time_of_a_cold_start("max_epochs=1 val_check_interval=0.5");
}

void expect_no_difference(const std::string& typed) {
  Desk desk;
  desk.type(typed);
  const Reply reply = desk.type("compare last");
  for (const EventField& field : reply.fields) {
    if (!field.name.starts_with("before_") || !field.name.ends_with("_s")) continue;
    const double before = std::get<double>(field.value);
    EXPECT_EQ(number_in(reply, "after_" + field.name.substr(7)), before) << field.name;
  }
  EXPECT_GT(number_in(reply, "before_step_s"), 0);
  EXPECT_EQ(number_in(reply, "after_samples_per_second"),
            number_in(reply, "before_samples_per_second"));
}

// The first compiled what the second found: none of its steps came behind a compile.
TEST(RunComparison, finds_no_difference_between_a_run_and_the_same_again) {
  expect_no_difference("batch 128; max_steps 12; numbers off; run; run");
  expect_no_difference("batch 16; max_steps 20; hidden 16; run; run");
}

// What it found on disk an earlier run has left there, unless that was full before the first.
TEST(RunComparison, finds_none_with_programs_on_disk_whoever_filled_it) {
  expect_no_difference("preempt host@8; cache_persistent on; run; run");
  expect_no_difference("preempt host@8; cache_persistent filled; run; run");
  expect_no_difference(
      "preempt host@8; cache_persistent on; run; cache_persistent off; run; "
      "cache_persistent on; run; reset; run");
}

// Of the step before the change nothing is told, here and there.
TEST(RunComparison, tells_the_steps_that_the_summary_tells_of_a_run_that_changed) {
  Desk desk;
  desk.type("numbers off; max_steps 12; step 5; batch 64; resume; reset; run");
  const std::vector<OutputLine> said = desk.engine.output_since(0);
  const auto summary = std::ranges::find(said, "summary", &OutputLine::event);
  const auto step = std::ranges::find(summary->fields, "tpu_step_seconds", &EventField::name);
  const Reply reply = desk.type("compare last");
  EXPECT_EQ(number_in(reply, "before_step_s"), std::get<double>(step->value));
}

TEST(RunComparison, counts_no_program_as_compiled_that_lay_on_disk) {
  Desk desk;
  desk.type("numbers off; max_steps 12; run; cache_persistent filled; run");
  const Reply reply = desk.type("compare last");
  EXPECT_GT(number_in(reply, "before_compiles"), 0);
  EXPECT_EQ(number_in(reply, "after_compiles"), 0);
  EXPECT_GT(number_in(reply, "after_compile_s"), 0);
}

}  // namespace
}  // namespace tpulab::run_comparison_test
