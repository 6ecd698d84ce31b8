#include "tui/help_text.h"

#include <gtest/gtest.h>

namespace tpulab {
namespace {

class HelpTextTest : public testing::Test {
 protected:
  int after(const InputEvent& event) {
    help.press(event, 10);
    return help.scroll();
  }
  HelpText help{"help", std::vector<std::string>(25, "a line")};
};

TEST_F(HelpTextTest, scrolls_by_lines_and_pages_and_stays_inside_the_text) {
  EXPECT_EQ(after({Key::page_up}), 0);
  EXPECT_EQ(after({Key::text, "j"}), 1);
  EXPECT_EQ(after({Key::sequence, "\x1b[B"}), 2);
  EXPECT_EQ(after({Key::page_down}), 12);
  EXPECT_EQ(after({Key::text, " "}), 22);
  EXPECT_EQ(after({Key::text, " "}), 24);  // the last of 25
  EXPECT_EQ(after({Key::sequence, "\x1bOA"}), 23);
  EXPECT_EQ(after({Key::text, "g"}), 0);
  EXPECT_EQ(after({Key::text, "G"}), 24);
}

TEST_F(HelpTextTest, escape_and_q_close_it_and_other_letters_do_not) {
  help.press({Key::text, "x"}, 10);
  EXPECT_TRUE(help.open());
  help.press({Key::text, "q"}, 10);
  EXPECT_FALSE(help.open());
  HelpText other("help", {});
  other.press({Key::escape}, 10);
  EXPECT_FALSE(other.open());
}

TEST_F(HelpTextTest, an_empty_text_does_not_scroll) {
  HelpText empty("help", {});
  empty.press({Key::text, "G"}, 10);
  EXPECT_EQ(empty.scroll(), 0);
}

}  // namespace
}  // namespace tpulab
