#include "commands/trainer_call.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/commands/desk.h"

namespace tpulab::trainer_call_test {
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

TEST(TrainerCall, digits_may_be_parted_as_in_python) {
  EXPECT_EQ(given("Trainer(max_steps=1_000, limit_val_batches=0.2_5)"),
            "max_steps=1000 limit_val_batches=0.25 ");
  Desk desk;
  desk.type("Trainer(max_steps=1_000, max_epochs=-1)");
  EXPECT_EQ(desk.settings.max_steps, 1000);
}

TEST(TrainerCall, arguments_become_settings_as_they_are_written) {
  EXPECT_EQ(given("trainer = Trainer(accelerator=\"tpu\", devices=[1])"),
            "accelerator=\"tpu\" devices=[1] ");
  EXPECT_EQ(given("Trainer( max_epochs = 3 , precision='bf16-true', )"),
            "max_epochs=3 precision='bf16-true' ");
  EXPECT_EQ(given("Trainer()"), "");
  EXPECT_EQ(given("Trainer(max_epochs=None)"), "");
}

TEST(TrainerCall, an_unknown_argument_is_told_the_nearest) {
  EXPECT_EQ(refusal("Trainer(device=1)"),
            "Trainer.__init__() got an unexpected keyword argument 'device'; did you mean "
            "devices?");
}

TEST(TrainerCall, what_python_refuses_is_refused) {
  EXPECT_TRUE(
      refusal("Trainer(devices=1, devices=2)").starts_with("keyword argument repeated: devices"));
  for (const std::string_view open :
       {"Trainer(devices=1", "Trainer(", "Trainer()(", "Trainer() + 1", "Trainer(devices=1))"}) {
    EXPECT_TRUE(refusal(open).starts_with("Trainer(...) must be one call"))
        << open << refusal(open);
  }
  EXPECT_TRUE(refusal("Trainer(strategy=XLAStrategy())").starts_with("strategy=XLAStrategy() is"));
  EXPECT_TRUE(refusal("Trainer(devices=1, 8)").starts_with("SyntaxError: positional argument"));
  EXPECT_TRUE(refusal("Trainer(,)").starts_with("SyntaxError"));
}

TEST(TrainerCall, values_without_names_are_those_of_the_signature) {
  EXPECT_EQ(given("Trainer('tpu', devices=8)"), "accelerator='tpu' devices=8 ");
  EXPECT_EQ(given("Trainer('tpu', 'auto', 1)"), "accelerator='tpu' strategy='auto' devices=1 ");
}

TEST(TrainerCall, what_lightning_refuses_is_refused) {
  EXPECT_TRUE(refusal("Trainer(accelerator=None)").starts_with("You selected an invalid"));
  EXPECT_TRUE(refusal("Trainer(max_steps=None)").starts_with("`max_steps` must be"));
  EXPECT_TRUE(refusal("Trainer(profiler='foo')").starts_with("When passing string value for"));
  EXPECT_TRUE(refusal("Trainer(strategy='single_xla')").starts_with("SingleDeviceXLAStrategy"));
  EXPECT_TRUE(refusal("Trainer(fast_dev_run=-1)").starts_with("fast_dev_run=-1 is not a valid"));
  EXPECT_TRUE(refusal("Trainer(gradient_clip_val='1')").starts_with("`gradient_clip_val` should"));
}

TEST(TrainerCall, a_fast_run_overrides_the_limits_beside_it) {
  Desk desk;
  desk.type("trainer = Trainer(fast_dev_run=3, max_epochs=7, limit_val_batches=0.5)");
  const Settings& settings = desk.settings;
  EXPECT_EQ(settings.max_epochs, 1);
  EXPECT_EQ(settings.max_steps, 3);
  EXPECT_EQ(settings.limit_train_batches, (Portion{.count = 3}));
  EXPECT_EQ(settings.limit_val_batches, (Portion{.count = 3}));
  EXPECT_EQ(settings.num_sanity_val_steps, 0);
  EXPECT_EQ(settings.log_every_n_steps, 0);
}

TEST(TrainerCall, an_argument_that_is_not_emulated_leaves_the_rest_of_the_line_alone) {
  const TrainerCall call =
      parse_trainer_call("Trainer(callbacks=[EarlyStopping()], sync_batchnorm=False, devices=1)");
  ASSERT_EQ(call.notes.size(), 1U);
  EXPECT_TRUE(call.notes[0].starts_with("callbacks= is not emulated: no code of yours runs here"));
  ASSERT_EQ(call.given.size(), 1U);
  EXPECT_EQ(call.given[0].name, "devices");
}

TEST(TrainerCall, checks_across_epochs_need_a_count_of_batches_as_lightning_says) {
  Desk desk;
  EXPECT_FALSE(
      desk.type("Trainer(check_val_every_n_epoch=None, val_check_interval=100, devices=1)").failed);
  EXPECT_EQ(desk.settings.check_val_every_n_epoch, 0);
  EXPECT_EQ(desk.settings.val_check_interval, (Portion{.count = 100}));
  const std::string refusal = desk.answer("Trainer(check_val_every_n_epoch=None)");
  EXPECT_TRUE(refusal.starts_with(
      "`val_check_interval` should be an integer when `check_val_every_n_epoch=None`, found 1.0"))
      << refusal;
  EXPECT_FALSE(desk.type("Trainer(devices=1)").failed);
  EXPECT_EQ(desk.settings.check_val_every_n_epoch, 1);
}

TEST(TrainerCall, arguments_without_a_part_here_are_named) {
  const TrainerCall call = parse_trainer_call("Trainer(logger=False, callbacks=None)");
  ASSERT_EQ(call.notes.size(), 1U);
  EXPECT_EQ(call.notes[0],
            "logger plays no part in this emulation: "
            "log_every_n_steps says how often a value is read for it");
}

TEST(TrainerCall, num_nodes_must_be_positive_and_changes_nothing) {
  EXPECT_TRUE(refusal("Trainer(num_nodes=0)")
                  .starts_with("`num_nodes` must be a positive integer, but got 0."));
  EXPECT_TRUE(refusal("Trainer(num_nodes='2')")
                  .starts_with("`num_nodes` must be a positive integer, but got '2'."));
  EXPECT_TRUE(parse_trainer_call("Trainer(num_nodes=1)").notes.empty());
  EXPECT_EQ(parse_trainer_call("Trainer(num_nodes=4)").notes.size(), 1U);
}

TEST(TrainerCall, names_what_went_back_to_its_defaults) {
  Desk desk;
  const std::string words = "back at Trainer's defaults: ";
  desk.type("devices [3]; precision bf16-true; log_every_n_steps 7; batch 8");
  EXPECT_TRUE(desk.answer("Trainer(log_every_n_steps=5)")
                  .ends_with(words + "devices auto, precision 32-true, max_steps -1"));
  EXPECT_EQ(desk.answer("Trainer(log_every_n_steps=5)").find(words), std::string::npos);
}

}  // namespace
}  // namespace tpulab::trainer_call_test
