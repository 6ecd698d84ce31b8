#include "tui/screen/text_view.h"

#include <gtest/gtest.h>

namespace tpulab::text_view_test {
namespace {

class TextViewTest : public testing::Test {
 protected:
  int after(const InputEvent& event) {
    view.press(event, 10);
    view.limit_scroll(24);
    return view.scroll();
  }
  TextView view{"help", std::vector<std::string>(25, "a line")};
};

TEST_F(TextViewTest, scrolls_by_lines_and_pages_and_stays_inside_the_text) {
  EXPECT_EQ(after({Key::page_up}), 0);
  EXPECT_EQ(after({Key::text, "j"}), 1);
  EXPECT_EQ(after({Key::sequence, "\x1b[B"}), 2);
  EXPECT_EQ(after({Key::page_down}), 12);
  EXPECT_EQ(after({Key::text, " "}), 22);
  EXPECT_EQ(after({Key::text, "\x04"}), 24);  // as far as the screen lets it
  EXPECT_EQ(after({Key::sequence, "\x1bOA"}), 23);
  EXPECT_EQ(after({Key::text, "\x15"}), 13);
  EXPECT_EQ(after({Key::text, "g"}), 0);
  EXPECT_EQ(after({Key::text, "G"}), 24);
  EXPECT_EQ(after({Key::sequence, "\x1b[H"}), 0);
  EXPECT_EQ(after({Key::sequence, "\x1bOF"}), 24);
}

// One long line is several rows on the screen: its end must be reached.
TEST_F(TextViewTest, scrolls_over_more_rows_than_it_has_lines) {
  TextView wrapped("reply", {std::string(500, 'x')});
  for (int i = 0; i < 5; ++i) wrapped.press({Key::text, "j"}, 10);
  EXPECT_EQ(wrapped.scroll(), 5);
}

TEST_F(TextViewTest, escape_q_and_enter_close_it) {
  for (const InputEvent& key :
       {InputEvent{Key::escape}, InputEvent{Key::text, "q"}, InputEvent{Key::text, "\r"}}) {
    TextView other("help", {"a line"});
    EXPECT_TRUE(other.press(key, 10));
    EXPECT_FALSE(other.open());
  }
}

TEST_F(TextViewTest, of_what_is_read_to_its_end_enter_turns_the_pages_before_it_closes) {
  const InputEvent enter{Key::text, "\r"};
  view.read_on();
  view.limit_scroll(15);
  EXPECT_TRUE(view.reads_on());
  view.press(enter, 10);
  EXPECT_EQ(view.scroll(), 10);
  view.press(enter, 10);
  view.limit_scroll(15);
  EXPECT_EQ(view.scroll(), 15);
  EXPECT_FALSE(view.reads_on());
  EXPECT_TRUE(view.open());
  view.press(enter, 10);
  EXPECT_FALSE(view.open());
}

TEST_F(TextViewTest, what_means_nothing_to_it_is_left_to_the_prompt) {
  EXPECT_FALSE(view.press({Key::text, "x"}, 10));
  EXPECT_FALSE(view.press({Key::paste, "q"}, 10));
  EXPECT_TRUE(view.open());
}

}  // namespace
}  // namespace tpulab::text_view_test
