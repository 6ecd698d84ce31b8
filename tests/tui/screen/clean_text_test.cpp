#include "tui/screen/clean_text.h"

#include <gtest/gtest.h>

#include "tests/tui/example_snapshot.h"

namespace tpulab::clean_text_test {
namespace {

// RFC 4648, section 10.
TEST(Base64, test_vectors_of_the_standard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(PaneText, holds_no_frame_and_no_mark_of_the_focus) {
  ScreenState state = example_screen(example_events_snapshot());
  state.view.focused = "fallbacks";
  const DrawnScreen drawn = draw_screen(state, 40, 120);
  const std::string text = pane_text(state, drawn, "fallbacks");
  EXPECT_TRUE(text.starts_with("op ")) << text;
  EXPECT_TRUE(text.ends_with("\n")) << text;
  for (const char* line : {"│", "┃", "┌", "━"}) EXPECT_EQ(text.find(line), std::string::npos);
  EXPECT_EQ(text.find(" \n"), std::string::npos) << text;
}

TEST(PaneText, of_the_output_is_every_line_unbroken_with_the_newest_kept) {
  ScreenState state = example_screen(example_events_snapshot());
  std::vector<OutputLine> lines(3000);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].text = "line " + std::to_string(i) + " " + std::string(300, 'x');
  }
  state.view.output = lines;
  const std::string text = pane_text(state, draw_screen(state, 24, 80), "output");
  EXPECT_LE(text.size(), std::size_t{48} << 10U);
  EXPECT_NE(text.find("line 2999 " + std::string(300, 'x') + "\n"), std::string::npos);
  EXPECT_EQ(text.find("line 100 "), std::string::npos);
}

TEST(PaneText, of_a_pane_that_is_not_there_is_empty) {
  const ScreenState state = example_screen(example_empty_snapshot());
  EXPECT_EQ(pane_text(state, draw_screen(state, 10, 40), "loss"), "");
}

}  // namespace
}  // namespace tpulab::clean_text_test
