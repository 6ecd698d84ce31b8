#include <gtest/gtest.h>

#include <string>

#include "tests/commands/desk.h"

namespace tpulab::forecast_test {
namespace {

// A line's last answer.
std::string forecast_of(const std::string& settings) {
  Desk desk{Settings{}};
  const Reply set = desk.type(settings);
  EXPECT_FALSE(set.failed) << set.lines.back();
  return desk.answer("forecast");
}

TEST(ForecastVerb, reads_the_loss_of_a_compiled_step_behind_the_step_that_returns_it) {
  for (const std::string model : {"mlp", "resnet50"}) {
    const std::string jax = "stack jax; max_steps 60; model " + model;
    EXPECT_EQ(forecast_of(jax + "; item_every_n_steps 1; log_every_n_steps 0"),
              forecast_of(jax + "; log_every_n_steps 1"));
    const std::string sums = jax + "; accumulate_grad_batches 2; progress_bar on";
    EXPECT_EQ(forecast_of(sums), forecast_of(sums + "; progress_bar_every 2"));
  }
}

// It may be a large one.
TEST(ForecastVerb, says_of_a_network_of_ones_own_that_none_like_it_was_measured) {
  for (const std::string hidden : {"(64)", "(16384,16384,16384)"}) {
    const std::string text = forecast_of("hidden " + hidden);
    EXPECT_NE(text.find("no band: no measured step is of a network like this one"),
              std::string::npos)
        << text;
  }
}

// The type of a device's arrays is no operation that anybody calls.
TEST(ForecastVerb, traces_no_more_in_bf16_true_than_in_f32) {
  const auto traced = [](const std::string& settings) {
    Desk desk{Settings{}};
    desk.type(settings + "; max_steps 3; run");
    for (const OutputLine& row : desk.type("metrics").rows) {
      if (row.fields[0].value == EventValue("CreateXlaTensor")) return row.fields[1].value;
    }
    return EventValue();
  };
  for (const std::string model : {"resnet50; numbers off", "bert-base; numbers off", "resnet8"}) {
    const EventValue usual = traced("model " + model);
    EXPECT_NE(usual, EventValue());
    EXPECT_EQ(traced("precision bf16-true; model " + model), usual) << model;
  }
}

TEST(ForecastVerb, keeps_no_state_for_sgd_without_momentum) {
  const std::string sgd = "model resnet50; numbers off; optimizer sgd; max_steps 60";
  EXPECT_NE(forecast_of(sgd).find("optimizer state 97.5 MiB"), std::string::npos);
  EXPECT_NE(forecast_of(sgd + "; momentum 0").find("optimizer state 0 B"), std::string::npos);
  Desk desk{Settings{}};
  EXPECT_EQ(desk.answer("model resnet50; optimizer sgd; momentum 0").find("no effect"),
            std::string::npos);
  EXPECT_NE(desk.answer("gradient_clip_val 1").find("not counted on resnet50"), std::string::npos);
}

TEST(ForecastVerb, refuses_a_batch_as_it_was_typed) {
  Desk desk{Settings{}};
  desk.type("model llama3-8b; slice v5p-16; stack jax; batch 1/2");
  const std::string refusal = desk.answer("mesh fsdp=8");
  EXPECT_TRUE(refusal.starts_with("batch 1/2: 4 rows do not divide over 8 replicas")) << refusal;
}

TEST(ForecastVerb, traces_nothing_in_a_step_that_is_compiled_once) {
  for (const std::string stack : {"jax", "tensorflow"}) {
    Desk desk;
    desk.type("stack " + stack + "; max_steps 60");
    for (const std::string line : {"forecast", "run", "advise"}) {
      std::string text = desk.answer(line);
      for (const std::string& news : desk.news()) text += "\n" + news;
      EXPECT_EQ(text.find("host tracing"), std::string::npos) << text;
      EXPECT_EQ(text.find("the host traces"), std::string::npos) << text;
    }
    EXPECT_NE(desk.answer("forecast").find("bound: dispatch"), std::string::npos) << stack;
  }
}

}  // namespace
}  // namespace tpulab::forecast_test
