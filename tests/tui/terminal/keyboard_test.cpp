#include "tui/terminal/keyboard.h"

#include <gtest/gtest.h>

namespace tpulab::keyboard_test {
namespace {

TEST(Keyboard, a_letter_waits_for_nothing) {
  Keyboard keyboard;
  EXPECT_EQ(keyboard.take("a"), (std::vector<InputEvent>{{Key::text, "a"}}));
  EXPECT_FALSE(keyboard.deadline());
}

TEST(Keyboard, escape_waits_for_what_may_follow) {
  Keyboard keyboard;
  EXPECT_TRUE(keyboard.take("\x1b").empty());
  ASSERT_TRUE(keyboard.deadline());
  EXPECT_EQ(keyboard.take("[A"), (std::vector<InputEvent>{{Key::sequence, "\x1b[A"}}));
  EXPECT_FALSE(keyboard.deadline());
}

TEST(Keyboard, escape_alone_comes_when_its_time_is_up) {
  Keyboard keyboard;
  keyboard.take("\x1b");
  std::vector<InputEvent> events;
  while (events.empty()) events = keyboard.take("");
  EXPECT_EQ(events, (std::vector<InputEvent>{{Key::escape}}));
}

}  // namespace
}  // namespace tpulab::keyboard_test
