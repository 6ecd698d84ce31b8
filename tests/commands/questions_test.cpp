// A learner's own words lead to a command.
#include "commands/questions.h"

#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::questions_test {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Questions, are_told_the_command_that_helps_and_end_a_script) {
  struct Case {
    const char* asked;
    const char* command;
  };
  Desk desk;
  for (const Case& one :
       {Case{"why is it slow?", "`help slow`"}, Case{"why is it so slow", "`advise`"},
        Case{"faster", "`advise`"}, Case{"how do I make it faster", "`advise`"},
        Case{"how do I use a GPU?", "`help gpus`"}, Case{"tutorial", "`lesson 1`"},
        Case{"learn", "`lesson`"}, Case{"how do I start", "`lesson 1`"}, Case{"next", "`lesson 1`"},
        Case{"back", "`lesson 1`"}, Case{"more", "F3"}}) {
    const Reply reply = desk.type(one.asked);
    EXPECT_TRUE(reply.failed) << one.asked;
    EXPECT_TRUE(has(reply.lines.front(), one.command)) << one.asked << ": " << reply.lines.front();
  }
  EXPECT_TRUE(has(desk.answer("zzzz slowly"), "unknown command"));
}

TEST(Questions, what_something_is_opens_its_page) {
  Desk desk;
  const std::string page = desk.answer("help padding");
  for (const char* const asked : {"what is padding", "What is padding?", "what does padding mean?",
                                  "help what is padding", "help padding?"}) {
    EXPECT_EQ(desk.answer(asked), page) << asked;
  }
  EXPECT_EQ(desk.answer("what is a core"), desk.answer("help core"));
  EXPECT_TRUE(has(desk.answer("what is zzzz"), "there is no help on 'zzzz'"));
}

TEST(Questions, undo_names_what_brings_the_newest_change_back) {
  Desk desk;
  EXPECT_TRUE(has(desk.answer("undo"), "no setting was changed"));
  desk.type("batch 16");
  desk.type("batch 64 ; nonsense");
  EXPECT_TRUE(has(desk.answer("undo"), "`set batch=16` brings back"));
  EXPECT_FALSE(desk.type("set batch=16").failed);
  desk.type("lesson 5");
  desk.type("lesson stop");
  EXPECT_TRUE(has(desk.answer("undo"), "`set batch=64` brings back")) << "a lesson's are its own";
  desk.type("Trainer(devices=1)");
  EXPECT_TRUE(has(desk.answer("undo"), "devices=auto")) << desk.answer("undo");
}

// Neither would be taken without the other.
TEST(Questions, undo_brings_a_model_back_with_its_data) {
  Desk desk;
  desk.type("set model=gpt-tiny data=addition");
  const std::string told = desk.answer("undo");
  const auto first = told.find('`') + 1;
  EXPECT_FALSE(desk.type(told.substr(first, told.find('`', first) - first)).failed) << told;
  EXPECT_EQ(desk.settings.model, "mlp");
}

TEST(Questions, a_setting_alone_is_reset_by_its_name) {
  Desk desk;
  desk.type("batch 16; devices 1");
  EXPECT_FALSE(desk.type("reset batch").failed);
  EXPECT_EQ(desk.settings.batch, desk.context.defaults.batch);
  EXPECT_EQ(desk.settings.devices, "1");
}

}  // namespace
}  // namespace tpulab::questions_test
