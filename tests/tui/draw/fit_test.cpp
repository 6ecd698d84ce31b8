#include "tui/draw/fit.h"

#include <gtest/gtest.h>

namespace tpulab::fit_test {

using Lines = std::vector<std::string>;

TEST(Fit, leaves_out_whole_parts_and_clips_the_first) {
  EXPECT_EQ(in_whole_parts("5 compiles, 0 fallbacks, 25 reads", 33, Glyphs::unicode),
            "5 compiles, 0 fallbacks, 25 reads");
  EXPECT_EQ(in_whole_parts("5 compiles, 0 fallbacks, 25 reads", 32, Glyphs::unicode),
            "5 compiles, 0 fallbacks");
  EXPECT_EQ(in_whole_parts("5 compiles, 0 fallbacks", 6, Glyphs::unicode), "5 com…");
  EXPECT_EQ(in_whole_parts("run 8, warm (5 found, 5 compiled): 32 rows, v3-8", 42, Glyphs::unicode),
            "run 8, warm (5 found, 5 compiled): 32 rows");
  EXPECT_EQ(in_whole_parts("run 8, warm (5 found, 5 compiled): 32 rows, v3-8", 30, Glyphs::unicode),
            "run 8, warm (5 found, 5 compi…");
}

TEST(Fit, what_is_cut_ends_in_an_ellipsis) {
  EXPECT_EQ(clipped("abcdef", 6, Glyphs::unicode), "abcdef");
  EXPECT_EQ(clipped("abcdef", 4, Glyphs::unicode), "abc…");
  EXPECT_EQ(clipped("abcdef", 4, Glyphs::ascii), "ab..");
  EXPECT_EQ(clipped("日本語", 4, Glyphs::unicode), "日…");  // half a glyph is never shown
  EXPECT_EQ(clipped("abc", 1, Glyphs::ascii), ".");
  EXPECT_EQ(clipped("abc", 0, Glyphs::unicode), "");
}

TEST(Fit, a_sentence_is_cut_behind_a_word) {
  EXPECT_EQ(clipped_at_word("core 3 is slow", 14, Glyphs::unicode), "core 3 is slow");
  EXPECT_EQ(clipped_at_word("core 3 is slow", 13, Glyphs::unicode), "core 3 is …");
  EXPECT_EQ(clipped_at_word("core 3 is slow", 13, Glyphs::ascii), "core 3 is ..");
  EXPECT_EQ(clipped_at_word("core 3 is slow", 11, Glyphs::unicode), "core 3 is …");
  EXPECT_EQ(clipped_at_word("core 3 is slow", 10, Glyphs::unicode), "core 3 …");
  EXPECT_EQ(clipped_at_word("abcdef", 4, Glyphs::unicode), "ab …");
  EXPECT_EQ(clipped_at_word("abcdef", 1, Glyphs::unicode), "…");
}

TEST(Fit, lines_break_at_blanks) {
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 8, 2), (Lines{"one two", "  three"}));
  EXPECT_EQ(wrapped("", 5), (Lines{""}));
}

TEST(Fit, an_over_long_word_breaks_at_the_edge) {
  EXPECT_EQ(wrapped("abcdefgh ij", 3), (Lines{"abc", "def", "gh", "ij"}));
  EXPECT_EQ(wrapped("日本", 1), (Lines{"日", "本"}));  // wider than the room: still moves on
}

// Measuring the rest for each row would take hours here.
TEST(Fit, a_line_of_megabytes_is_wrapped_in_one_pass) {
  EXPECT_EQ(wrapped(std::string(8'000'000, 'x'), 80).size(), 100'000U);
  EXPECT_EQ(wrapped(std::string(8'000'000, 'x'), 1).size(), 8'000'000U);
}

TEST(Fit, no_line_is_wider_than_its_room) {
  const std::string text = "  a list: éé 日本語 and-a-very-long-word-without-blanks end";
  for (int columns = 2; columns < 40; ++columns) {
    for (const std::string& line : wrapped(text, columns, 4)) {
      EXPECT_LE(display_width(line), columns) << line;
    }
  }
}

TEST(Fit, numbers_keep_their_right_edge) {
  EXPECT_EQ(right_aligned("42", 5), "   42");
  EXPECT_EQ(left_aligned("é", 3), "é  ");
  EXPECT_EQ(right_aligned("too long", 3), "too long");
}

}  // namespace tpulab::fit_test
