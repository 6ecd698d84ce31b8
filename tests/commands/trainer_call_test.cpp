#include "commands/trainer_call.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab {
namespace {

std::string refusal(std::string_view line) {
  try {
    parse_trainer_call(line);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string given(std::string_view line) {
  std::string text;
  for (const auto& [name, value] : parse_trainer_call(line).given) text += name + "=" + value + " ";
  return text;
}

TEST(TrainerCall, is_recognised_with_a_name_and_a_module) {
  EXPECT_TRUE(is_trainer_call("Trainer()"));
  EXPECT_TRUE(is_trainer_call("trainer = Trainer(devices=1)  # one"));
  EXPECT_TRUE(is_trainer_call("t=L.Trainer()"));
  EXPECT_TRUE(is_trainer_call("trainer = lightning.pytorch.Trainer()"));
  EXPECT_FALSE(is_trainer_call("help Trainer()"));
  EXPECT_FALSE(is_trainer_call("MyTrainer()"));
  EXPECT_FALSE(is_trainer_call("# Trainer()"));
  EXPECT_FALSE(is_trainer_call("1x = Trainer()"));
  EXPECT_FALSE(is_trainer_call("Trainer"));
}

TEST(TrainerCall, arguments_become_settings_as_they_are_written) {
  EXPECT_EQ(given("trainer = Trainer(accelerator=\"tpu\", devices=[1])"),
            "accelerator=\"tpu\" devices=[1] ");
  EXPECT_EQ(given("Trainer( max_epochs = 3 , precision='bf16-true', )"),
            "max_epochs=3 precision='bf16-true' ");
  EXPECT_EQ(given("Trainer()"), "");
  EXPECT_EQ(given("Trainer(max_steps=None)"), "");
}

TEST(TrainerCall, an_unknown_argument_is_told_the_nearest) {
  EXPECT_EQ(refusal("Trainer(device=1)"),
            "Trainer.__init__() got an unexpected keyword argument 'device'; did you mean "
            "devices?");
}

TEST(TrainerCall, what_python_refuses_is_refused) {
  EXPECT_TRUE(
      refusal("Trainer(1)").starts_with("Trainer.__init__() takes no positional argument (1)"));
  EXPECT_TRUE(
      refusal("Trainer(devices=1, devices=2)").starts_with("keyword argument repeated: devices"));
  for (const std::string_view open :
       {"Trainer(devices=1", "Trainer(", "Trainer()(", "Trainer() + 1", "Trainer(devices=1))"}) {
    EXPECT_TRUE(refusal(open).starts_with("Trainer(...) must be one call"))
        << open << refusal(open);
  }
  EXPECT_TRUE(refusal("Trainer(strategy=XLAStrategy())").starts_with("strategy=XLAStrategy() is"));
  EXPECT_TRUE(refusal("Trainer(,)").starts_with("Trainer.__init__() takes no positional"));
}

TEST(TrainerCall, arguments_that_would_change_the_run_are_not_passed_over) {
  EXPECT_EQ(refusal("Trainer(gradient_clip_val=0.5)"),
            "gradient_clip_val is not emulated; leave it out");
  EXPECT_EQ(refusal("Trainer(gradient_clip_val=None)"), "");
}

TEST(TrainerCall, arguments_without_a_part_here_are_named) {
  const TrainerCall call = parse_trainer_call("Trainer(logger=False, callbacks=None)");
  ASSERT_EQ(call.notes.size(), 1U);
  EXPECT_EQ(call.notes[0], "logger plays no part in this emulation");
}

TEST(TrainerCall, num_nodes_must_be_positive_and_changes_nothing) {
  EXPECT_TRUE(refusal("Trainer(num_nodes=0)")
                  .starts_with("`num_nodes` must be a positive integer, but got 0."));
  EXPECT_TRUE(refusal("Trainer(num_nodes='2')")
                  .starts_with("`num_nodes` must be a positive integer, but got '2'."));
  EXPECT_TRUE(parse_trainer_call("Trainer(num_nodes=1)").notes.empty());
  EXPECT_EQ(parse_trainer_call("Trainer(num_nodes=4)").notes.size(), 1U);
}

}  // namespace
}  // namespace tpulab
