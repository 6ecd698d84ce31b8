#include "tui/walk/panes_keys.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tui/panels/panel.h"

namespace tpulab::panes_keys_test {
namespace {

PanesAction press(PanesKeys& keys, std::string_view typed, bool run_is_active) {
  return keys.press(*pane_key(typed), run_is_active);
}

TEST(PanesKeys, letters_that_end_a_run_must_come_twice) {
  for (const char* key : {"r", "x", "q"}) {
    PanesKeys keys;
    EXPECT_EQ(press(keys, key, true), PanesAction::nothing);
    EXPECT_NE(keys.question().find(std::string(key) + " again"), std::string::npos);
    EXPECT_NE(press(keys, key, true), PanesAction::nothing);
    EXPECT_EQ(keys.question(), "");
  }
}

TEST(PanesKeys, another_key_between_them_takes_the_question_back) {
  PanesKeys keys;
  press(keys, "x", true);
  EXPECT_EQ(press(keys, "\x1b[A", true), PanesAction::up);
  EXPECT_EQ(keys.question(), "");
  EXPECT_EQ(press(keys, "x", true), PanesAction::nothing);
  EXPECT_EQ(press(keys, "r", true), PanesAction::nothing);
  EXPECT_EQ(press(keys, "r", true), PanesAction::run);
}

TEST(PanesKeys, without_a_run_nothing_is_asked) {
  PanesKeys keys;
  EXPECT_EQ(press(keys, "r", false), PanesAction::run);
  EXPECT_EQ(press(keys, "x", false), PanesAction::stop);
  EXPECT_EQ(press(keys, "q", false), PanesAction::quit);
}

TEST(PanesKeys, arrows_are_known_in_the_forms_of_all_terminals) {
  EXPECT_EQ(pane_key("\x1bOA"), pane_key("\x1b[A"));
  for (const char* home : {"\x1bOH", "\x1b[1~", "\x1b[7~"})
    EXPECT_EQ(pane_key(home), pane_key("\x1b[H"));
  for (const char* end : {"\x1bOF", "\x1b[4~", "\x1b[8~"})
    EXPECT_EQ(pane_key(end), pane_key("\x1b[F"));
  EXPECT_EQ(pane_key("\n"), pane_key("\r"));
  EXPECT_EQ(pane_key(""), nullptr);
  EXPECT_EQ(pane_key("\x1b[99~"), nullptr);
  EXPECT_EQ(pane_key(0), nullptr);
  EXPECT_EQ(pane_key(11), nullptr);
  EXPECT_EQ(pane_key(9)->action, PanesAction::save);
}

TEST(PanesKeys, the_row_of_a_pane_has_its_own_keys_first_and_fits) {
  for (const Panel* panel : all_panels()) {
    const std::string wide = key_row(panel->name, 200);
    EXPECT_NE(wide.find("Enter "), std::string::npos) << panel->name;
    EXPECT_NE(wide.find("F9 saves"), std::string::npos) << wide;
    EXPECT_LT(wide.find("Enter "), wide.find(" | ")) << wide;
    for (int columns = 0; columns < 130; columns += 3) {
      EXPECT_LE(display_width(key_row(panel->name, columns)), columns);
    }
    for (const int columns : {58, 78, 118}) {
      const std::string row = titled_key_row(panel->name, panel->title, columns);
      EXPECT_NE(row.find("? keys"), std::string::npos) << row;
      EXPECT_LE(display_width(row), columns);
    }
  }
}

TEST(PanesKeys, every_key_has_a_line_in_the_list) {
  const std::vector<std::string> list = key_list();
  for (const PaneKey& key : pane_keys()) {
    EXPECT_TRUE(std::ranges::any_of(list, [&](const std::string& line) {
      return line.starts_with(key.shown) && line.size() > 8;
    })) << key.shown;
    EXPECT_NE(key.action, PanesAction::nothing) << key.shown;
    EXPECT_NE(key.typed.empty(), key.function == 0) << key.shown;
  }
}

}  // namespace
}  // namespace tpulab::panes_keys_test
