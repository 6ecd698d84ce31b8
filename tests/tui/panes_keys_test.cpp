#include "tui/panes_keys.h"

#include <gtest/gtest.h>

namespace tpulab {
namespace {

TEST(PanesKeys, letters_that_end_a_run_must_come_twice) {
  for (const char* key : {"r", "x", "q"}) {
    PanesKeys keys;
    EXPECT_EQ(keys.press(key, true), PanesAction::nothing);
    EXPECT_NE(keys.question().find(std::string(key) + " again"), std::string::npos);
    EXPECT_NE(keys.press(key, true), PanesAction::nothing);
    EXPECT_EQ(keys.question(), "");
  }
}

TEST(PanesKeys, another_key_between_them_takes_the_question_back) {
  PanesKeys keys;
  keys.press("x", true);
  EXPECT_EQ(keys.press("\x1b[A", true), PanesAction::nothing);
  EXPECT_EQ(keys.question(), "");
  EXPECT_EQ(keys.press("x", true), PanesAction::nothing);
  EXPECT_EQ(keys.press("r", true), PanesAction::nothing);
  EXPECT_EQ(keys.press("r", true), PanesAction::run);
}

TEST(PanesKeys, without_a_run_nothing_is_asked) {
  PanesKeys keys;
  EXPECT_EQ(keys.press("r", false), PanesAction::run);
  EXPECT_EQ(keys.press("x", false), PanesAction::stop);
  EXPECT_EQ(keys.press("q", false), PanesAction::quit);
}

TEST(PanesKeys, what_can_be_undone_acts_at_once) {
  PanesKeys keys;
  EXPECT_EQ(keys.press("p", true), PanesAction::pause);
  EXPECT_EQ(keys.press("s", true), PanesAction::step);
  EXPECT_EQ(keys.press("?", true), PanesAction::help);
  EXPECT_EQ(keys.press("y", true), PanesAction::nothing);
}

}  // namespace
}  // namespace tpulab
