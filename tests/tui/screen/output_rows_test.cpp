#include "tui/screen/output_rows.h"

#include <gtest/gtest.h>

namespace tpulab::output_rows_test {
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

}  // namespace
}  // namespace tpulab::output_rows_test
