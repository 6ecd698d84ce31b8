#include "commands/advice_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/commands/desk.h"

namespace tpulab::advice_watch_test {
namespace {

class AdviceWatchTest : public testing::Test {
 protected:
  // Until the watch has said something about the run as it is, or a while has passed.
  void look() {
    const int before = woken_;
    watch_.look(now(), desk_.settings);
    constexpr int patience = 2'400;  // two minutes: sanitizers on a busy computer need one
    for (int i = 0; i < patience && woken_ == before; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  const Snapshot& now() {
    now_ = desk_.engine.latest();
    return *now_;
  }
  const RunView& run() { return now().run; }

  std::atomic<int> woken_ = 0;
  std::shared_ptr<const Snapshot> now_;
  Desk desk_{Settings()};
  AdviceWatch watch_{desk_.engine, [this] { ++woken_; }};
};

TEST_F(AdviceWatchTest, a_host_bound_run_gets_one_line_with_its_gain_and_one_command_for_it) {
  EXPECT_EQ(watch_.line(now(), 120), "");
  desk_.type("numbers off; run max_steps=24");
  look();
  const std::string line = watch_.line(now(), 120);
  EXPECT_TRUE(line.starts_with("bound: host tracing, saves ")) << line;
  EXPECT_NE(line.find(" % if free -> batch "), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with(" % samples/s, changes what is learned")) << line;
  EXPECT_TRUE(watch_.line(now(), 76).starts_with("bound: host tracing -> batch "));
  EXPECT_TRUE(watch_.line(now(), 60).starts_with("batch "));
  EXPECT_TRUE(watch_.line(now(), 60).ends_with("changes what is learned"));
  EXPECT_TRUE(watch_.line(now(), 43).ends_with(" % samples/s, other results"));
  EXPECT_TRUE(watch_.line(now(), 40).starts_with("batch "));
  EXPECT_NE(line.find(" % samples/s"), std::string::npos) << line;
  const std::string command = watch_.take();
  ASSERT_TRUE(command.starts_with("batch ")) << command;
  const auto before = desk_.settings.batch;
  EXPECT_FALSE(desk_.type(command).failed);
  EXPECT_GT(desk_.settings.batch, before);
}

TEST_F(AdviceWatchTest, another_framework_is_not_said_to_change_what_is_learned) {
  desk_.type("numbers off; batch 180; run max_steps=24");
  look();
  const std::string line = watch_.line(now(), 120);
  EXPECT_NE(line.find("stack jax: "), std::string::npos) << line;
  EXPECT_EQ(line.find("learned"), std::string::npos) << line;
}

TEST_F(AdviceWatchTest, nothing_is_said_of_a_run_that_a_lesson_has_left) {
  desk_.type("numbers off; run max_steps=24");
  look();
  ASSERT_NE(watch_.take(), "");
  watch_.pass_over(run().number);
  watch_.look(now(), desk_.settings);
  EXPECT_EQ(watch_.take(), "");
  EXPECT_EQ(watch_.line(now(), 120), "");
  desk_.type("run max_steps=24");
  look();
  EXPECT_NE(watch_.take(), "");
}

// What the line promises is what a run with it does.
TEST_F(AdviceWatchTest, the_gain_is_that_of_the_run_with_it) {
  desk_.type("numbers off; run max_steps=24");
  look();
  const std::string line = watch_.line(now(), 120);
  const double before = run().tpu_rate_steady;
  const std::string change = watch_.take();
  watch_.promise(change, desk_.context);
  desk_.type(change);
  desk_.news();
  desk_.type("run max_steps=24");
  EXPECT_TRUE(std::ranges::any_of(desk_.news(), [&](const std::string& told) {
    return told.starts_with("advice `" + change + "`: predicted +");
  }));
  const double gain = run().tpu_rate_steady / before - 1;
  const auto sign = line.rfind(": +");
  ASSERT_NE(sign, std::string::npos) << line;
  EXPECT_NEAR(std::stod(line.substr(sign + 3)) / 100, gain, 0.02 * (1 + gain)) << line;
}

// bf16 would make its steps faster; what it compiles takes nearly all of the run.
TEST_F(AdviceWatchTest, compiles_that_go_on_come_before_faster_steps) {
  desk_.type("model resnet50; numbers off; batch 128; shapes random");
  desk_.type("run max_steps=60");
  look();
  const std::string line = watch_.line(now(), 120);
  EXPECT_TRUE(line.starts_with("of the run: compile 9")) << line;
  EXPECT_NE(line.find(" after the first -> shapes "), std::string::npos) << line;
}

// Its steps are as fast; what compiles is half of the run and more.
TEST_F(AdviceWatchTest, a_run_that_compiles_on_and_on_is_told_what_spares_it_that) {
  desk_.type("model resnet50; numbers off; batch 128; precision bf16-true; shapes random");
  desk_.type("run max_steps=60");
  look();
  const std::string line = watch_.line(now(), 120);
  EXPECT_NE(line.find(" -> shapes "), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with(" samples/s with compile")) << line;
  EXPECT_FALSE(desk_.type(watch_.take()).failed);
  EXPECT_NE(desk_.settings.shapes, "random");
}

TEST_F(AdviceWatchTest, where_compiles_bind_a_faster_step_is_not_what_helps) {
  desk_.type("hidden (1024,1024); fallback_op median; item_every_n_steps 1; shapes random");
  desk_.type("run max_steps=18");
  look();
  EXPECT_EQ(watch_.take(), "shapes fixed") << watch_.line(now(), 120);
}

// On 60 columns Enter leaves 43 for it.
TEST_F(AdviceWatchTest, changes_longer_than_the_screen_are_counted_and_none_is_cut) {
  desk_.type("model resnet50; numbers off; batch 128; precision bf16-true");
  desk_.type("progress_bar on; log_every_n_steps 1; run max_steps=60");
  look();
  const std::string all = watch_.line(now(), 200);
  const std::string command = watch_.take();
  ASSERT_NE(command.find("; "), std::string::npos) << all;
  EXPECT_NE(all.find(command), std::string::npos) << all;
  for (int columns = 43; columns <= 120; ++columns) {
    const std::string line = watch_.line(now(), columns);
    EXPECT_LE(std::ssize(line), columns) << line;
    EXPECT_NE(line.find(command) == std::string::npos,
              line.find("changes that `advise` names") == std::string::npos)
        << line;
  }
}

TEST_F(AdviceWatchTest, a_slow_part_is_named_before_what_mends_it) {
  desk_.type("model bert-base; slice v5e-8; numbers off; straggler link:5:30; run max_steps=12");
  look();
  const std::string line = watch_.line(now(), 120);
  EXPECT_TRUE(line.starts_with(
      "links of chip 5 take 30x as long as the others -> `straggler none` mends it: +"))
      << line;
  EXPECT_TRUE(watch_.line(now(), 63).starts_with("slow: links of chip 5 -> `straggler none`: +"));
  EXPECT_LE(watch_.line(now(), 63).size(), 63u);
  EXPECT_FALSE(desk_.type(watch_.take()).failed);
  EXPECT_EQ(desk_.settings.straggler, "none");
}

TEST_F(AdviceWatchTest, what_was_found_of_other_settings_counts_no_more) {
  desk_.type("numbers off; run max_steps=24");
  look();
  ASSERT_NE(watch_.line(now(), 120), "");
  desk_.type("batch 180");
  watch_.look(now(), desk_.settings);
  EXPECT_EQ(watch_.take().empty(), watch_.line(now(), 120).empty());
}

TEST_F(AdviceWatchTest, what_is_set_for_the_next_run_is_not_advised_again) {
  desk_.type("numbers off; run max_steps=24");
  look();
  const std::string command = watch_.take();
  ASSERT_NE(command, "");
  const std::string before = watch_.line(now(), 40);
  desk_.type(command);
  look();
  EXPECT_NE(watch_.line(now(), 40), before);
}

// 24 steps compiled for more than four more would save; what is worth less is not put in its place.
TEST_F(AdviceWatchTest, what_the_rest_of_a_run_cannot_repay_is_not_advised) {
  desk_.type("numbers off; run max_steps=24");
  look();
  const auto in_a_run_of = [&](std::int64_t steps) {
    Snapshot under_way = now();
    under_way.run.state = RunState::training;
    under_way.run.steps_total = steps;
    under_way.compiles = {};  // it found all programs
    watch_.look(under_way, desk_.settings);
    return watch_.line(under_way, 120);
  };
  EXPECT_NE(in_a_run_of(1'000'000).find(" -> batch "), std::string::npos);
  EXPECT_EQ(in_a_run_of(28).find(" -> batch "), std::string::npos);
  EXPECT_EQ(watch_.take(), "");
}

TEST_F(AdviceWatchTest, without_a_run_there_is_no_line) {
  desk_.type("numbers off; run max_steps=24");
  look();
  ASSERT_NE(watch_.line(now(), 120), "");
  watch_.look(Snapshot(), desk_.settings);
  EXPECT_EQ(watch_.line(now(), 120), "");
  EXPECT_EQ(watch_.take(), "");
}

TEST_F(AdviceWatchTest, nothing_found_of_one_model_is_said_of_another) {
  desk_.type("numbers off; run max_steps=24");
  look();
  ASSERT_NE(watch_.line(now(), 120), "");
  desk_.type("model cnn");
  look();
  EXPECT_EQ(watch_.line(now(), 120), "");
  EXPECT_EQ(watch_.take(), "");
  desk_.type("model mlp");
  look();
  EXPECT_NE(watch_.line(now(), 120), "");
}

// "batch 1024" of a run on one device is no batch of eight.
TEST_F(AdviceWatchTest, nothing_found_of_other_steps_is_set_for_the_next_run) {
  desk_.type("numbers off; run devices=1 max_steps=24");
  look();
  EXPECT_EQ(watch_.line(now(), 120), "");
  EXPECT_EQ(watch_.take(), "");
}

TEST_F(AdviceWatchTest, a_run_that_nothing_helps_leaves_the_line_empty) {
  desk_.type("model gemm-8192x8192x8192; numbers off; run max_steps=12");
  look();
  EXPECT_EQ(watch_.line(now(), 120), "");
  EXPECT_EQ(watch_.take(), "");
}

}  // namespace
}  // namespace tpulab::advice_watch_test
