#include "tui/screen/output_rows.h"

#include <gtest/gtest.h>

namespace tpulab {
namespace {

OutputLine line_of(std::string text) {
  OutputLine line;
  line.text = std::move(text);
  return line;
}

TEST(OutputRows, bars_are_blocks_where_there_are_such_glyphs) {
  const OutputLine row = line_of("v3-8   7.57k  C-S5     ###");
  EXPECT_EQ(output_text(row, Glyphs::unicode), "v3-8   7.57k  C-S5     ███");
  EXPECT_EQ(output_text(row, Glyphs::ascii), row.text);
  EXPECT_EQ(output_text(line_of("run 5 # a comment"), Glyphs::unicode), "run 5 # a comment");
  EXPECT_EQ(output_text(line_of("#"), Glyphs::unicode), "#");
}

TEST(OutputRows, a_row_of_a_table_loses_its_bar_before_it_is_broken) {
  const std::string row = "v3-8  resnet50  128  jax  7.57k  ██████████";
  EXPECT_EQ(fitted_row(row, 43), row);
  EXPECT_EQ(fitted_row(row, 42), "v3-8  resnet50  128  jax  7.57k");
  EXPECT_EQ(fitted_row("words of a sentence that is long", 10), "words of a sentence that is long");
}

TEST(OutputRows, a_wide_pane_drops_the_last_columns_of_a_table_and_says_so) {
  std::string row = "slice";
  for (int i = 0; i < 12; ++i) row += "  a column " + std::to_string(i % 10);
  const std::string fitted = fitted_row(row, 100);
  EXPECT_LE(display_width(fitted), 100);
  EXPECT_TRUE(fitted.ends_with("  a column 6  …")) << fitted;
  EXPECT_EQ(fitted_row(row, 80), row) << "a narrow one breaks it: nothing is lost";
}

}  // namespace
}  // namespace tpulab
