#include "tui/prompt/dialogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tests/temporary_folder.h"

namespace tpulab::dialogue_test {
namespace {

class DialogueTest : public testing::Test {
 protected:
  DialogueTest() {
    ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
    dialogue_ = std::make_unique<Dialogue>(
        engine_, settings_, [this](const Reply& reply) { changes_.push_back(reply.change); });
  }

  std::vector<std::string> shown(OutputLine::Kind kind) const {
    std::vector<std::string> lines;
    for (const auto& line : dialogue_->output().lines()) {
      if (line.kind == kind) lines.push_back(line.text);
    }
    return lines;
  }

  test::TemporaryFolder folder_;
  Engine engine_;
  Settings settings_;
  std::vector<UiChange> changes_;
  std::unique_ptr<Dialogue> dialogue_;
};

using Kind = OutputLine::Kind;
using Lines = std::vector<std::string>;

TEST_F(DialogueTest, echoes_each_command_of_a_line_and_changes_the_settings) {
  dialogue_->enter("batch 64; seed 7");
  EXPECT_EQ(shown(Kind::command), (Lines{"> batch 64", "> seed 7"}));
  EXPECT_EQ(settings_.batch, 64);
  EXPECT_EQ(settings_.seed, 7);
  EXPECT_TRUE(shown(Kind::error).empty());
}

TEST_F(DialogueTest, an_error_is_shown_as_one_and_what_follows_still_runs) {
  dialogue_->enter("no_such_thing");
  dialogue_->enter("batch 64");
  EXPECT_EQ(shown(Kind::error).size(), 1U);
  EXPECT_EQ(settings_.batch, 64);
}

TEST_F(DialogueTest, of_one_line_nothing_runs_behind_what_failed) {
  dialogue_->enter("batch 64; no_such_thing; seed 7; seed 8");
  EXPECT_EQ(settings_.batch, 64);
  EXPECT_EQ(settings_.seed, 1);
  EXPECT_EQ(shown(Kind::warning), (Lines{"not run, as the one before failed: 2 commands"}));
}

TEST_F(DialogueTest, a_line_goes_on_when_its_answer_is_there_and_ends_where_that_fails) {
  const auto answered = [this] {
    while (engine_.answering()) std::this_thread::yield();
    dialogue_->advance();
  };
  dialogue_->enter("model resnet50");
  dialogue_->enter("forecast batch=100000; seed 7");
  EXPECT_EQ(settings_.seed, 1);
  answered();
  EXPECT_EQ(settings_.seed, 1);
  EXPECT_FALSE(dialogue_->held());
  EXPECT_FALSE(shown(Kind::error).empty());
  EXPECT_EQ(dialogue_->output().lines().back().text,
            "not run, as the one before failed: 1 command");
  dialogue_->enter("forecast; seed 8");
  answered();
  EXPECT_EQ(settings_.seed, 8);
}

TEST_F(DialogueTest, a_sourced_command_that_fails_says_where_it_stands_and_ends_its_line) {
  const std::string file = folder_.write("a.txt", "seed 7\nbatch none\nseed 8\n");
  dialogue_->enter("source " + file + "; seed 9");
  ASSERT_EQ(shown(Kind::error).size(), 1U);
  EXPECT_TRUE(shown(Kind::error)[0].starts_with(file + ":2: batch")) << shown(Kind::error)[0];
  EXPECT_EQ(settings_.seed, 7);
}

TEST_F(DialogueTest, a_key_learns_whether_its_command_was_refused) {
  EXPECT_TRUE(dialogue_->execute("batch 64"));
  EXPECT_FALSE(dialogue_->execute("batch none"));
  EXPECT_EQ(settings_.batch, 64);
}

TEST_F(DialogueTest, help_goes_to_the_screen_and_not_into_the_output) {
  dialogue_->enter("help batch");
  ASSERT_EQ(changes_.size(), 1U);
  EXPECT_EQ(changes_[0].help_topic, "batch");
  EXPECT_EQ(dialogue_->output().lines().size(), 1U);
}

TEST_F(DialogueTest, nothing_runs_behind_quit) {
  dialogue_->enter("quit; batch 64");
  ASSERT_EQ(changes_.size(), 1U);
  EXPECT_TRUE(changes_[0].quit);
  EXPECT_EQ(settings_.batch, 32);
}

TEST_F(DialogueTest, wait_holds_what_follows_until_the_run_ends) {
  dialogue_->enter("max_epochs 100000");
  dialogue_->enter("run");
  dialogue_->enter("wait; seed 7");
  EXPECT_TRUE(dialogue_->held());
  EXPECT_EQ(settings_.seed, 1);
  dialogue_->execute("stop");
  engine_.wait();
  dialogue_->advance();
  EXPECT_FALSE(dialogue_->held());
  EXPECT_EQ(settings_.seed, 7);
}

TEST_F(DialogueTest, what_a_run_says_stands_before_what_waited_for_it) {
  dialogue_->enter("max_epochs 100000; run; wait; seed 7");
  dialogue_->execute("stop");
  engine_.wait();
  dialogue_->advance();
  const auto texts = dialogue_->output().lines();
  const auto place = [&](std::string_view start) {
    return std::ranges::find_if(
               texts, [&](const OutputLine& line) { return line.text.starts_with(start); }) -
           texts.begin();
  };
  ASSERT_LT(place("run 1 stopped"), std::ssize(texts)) << texts.back().text;
  EXPECT_LT(place("run 1 stopped"), place("> seed 7"));
}

TEST_F(DialogueTest, what_wait_holds_can_be_dropped) {
  dialogue_->enter("max_epochs 100000; run; wait; seed 7");
  ASSERT_TRUE(dialogue_->held());
  dialogue_->drop_held();
  EXPECT_FALSE(dialogue_->held());
  dialogue_->enter("seed 9");
  EXPECT_EQ(settings_.seed, 9);
}

TEST_F(DialogueTest, remembers_what_was_entered_but_not_what_keys_did) {
  dialogue_->enter("batch 64; seed 7");
  dialogue_->execute("stop");
  EXPECT_EQ(dialogue_->earlier_lines(), Lines{"batch 64; seed 7"});
}

TEST_F(DialogueTest, clear_empties_the_output) {
  dialogue_->enter("batch 64");
  dialogue_->enter("clear");
  EXPECT_TRUE(dialogue_->output().lines().empty());
}

}  // namespace
}  // namespace tpulab::dialogue_test
