#include "tui/draw/canvas.h"

#include <gtest/gtest.h>

namespace tpulab::canvas_test {

TEST(Canvas, widths_follow_the_terminal) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("é"), 1);
  EXPECT_EQ(display_width("日本é"), 5);      // two wide glyphs and a narrow one
  EXPECT_EQ(display_width("e\xCC\x81"), 1);  // e and a combining acute
  EXPECT_EQ(display_width("│█⣿▁"), 4);       // a line, blocks, braille
  EXPECT_EQ(display_width("a\x01"
                          "b"),
            3);  // a control character takes a cell
}

TEST(Canvas, invalid_bytes_show_as_question_marks) {
  Canvas canvas(1, 12);
  // A lone continuation byte, an overlong '/', a surrogate, a cut sequence at the end.
  canvas.write(0, 0,
               "a\x80"
               "b\xC0\xAF"
               "c\xED\xA0\x80"
               "d\xE2\x82",
               Role::text);
  EXPECT_EQ(canvas.text(), "a?b??c???d??");
}

TEST(Canvas, every_code_point_survives_encoding_and_decoding) {
  for (const char32_t glyph : {U'a', U'é', U'…', U'日', U'\U0001F600', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, glyph);
    std::size_t at = 0;
    EXPECT_EQ(next_character(text, at), glyph);
    EXPECT_EQ(at, text.size());
  }
}

TEST(Canvas, text_is_clipped_at_the_edge_and_at_the_limit) {
  Canvas canvas(2, 5);
  EXPECT_EQ(canvas.write(0, 2, "abcdef", Role::text), 5);
  EXPECT_EQ(canvas.write(1, 0, "abcdef", Role::text, false, 3), 3);
  EXPECT_EQ(canvas.text(), "  abc\nabc");
}

TEST(Canvas, writes_outside_change_nothing) {
  Canvas canvas(2, 3);
  canvas.put(-1, 0, U'x', Role::text);
  canvas.put(0, -1, U'x', Role::text);
  canvas.put(2, 0, U'x', Role::text);
  canvas.put(0, 3, U'x', Role::text);
  canvas.write(5, 0, "xyz", Role::text);
  canvas.write(0, -2, "abX", Role::text);  // only the X reaches the canvas
  EXPECT_EQ(canvas.text(), "X\n");
}

TEST(Canvas, a_wide_glyph_takes_two_cells_or_none) {
  Canvas canvas(1, 4);
  canvas.write(0, 0, "a日日", Role::text);
  EXPECT_EQ(canvas.text(), "a日");  // the second does not fit into the last cell
  canvas.put(0, 3, U'本', Role::text);
  EXPECT_EQ(canvas.at(0, 3).glyph, U' ');
}

TEST(Canvas, half_of_a_wide_glyph_never_stays_behind) {
  Canvas first(1, 3);
  first.write(0, 0, "日", Role::text);
  first.put(0, 0, U'x', Role::text);
  EXPECT_EQ(first.at(0, 1).glyph, U' ');
  Canvas second(1, 3);
  second.write(0, 0, "日", Role::text);
  second.put(0, 1, U'x', Role::text);
  EXPECT_EQ(second.at(0, 0).glyph, U' ');
  EXPECT_EQ(second.text(), " x");
}

TEST(Canvas, pasting_clips_on_every_side) {
  Canvas part(3, 3);
  for (int row = 0; row < 3; ++row) part.write(row, 0, row == 1 ? "日c" : "abc", Role::good);
  Canvas canvas(2, 4);
  canvas.paste(part, -1, -1);  // cuts the wide glyph in half
  EXPECT_EQ(canvas.text(), " c\nbc");
  Canvas right(3, 2);
  right.paste(part, 0, 1);
  EXPECT_EQ(right.text(), " a\n\n a");  // no half glyph at the right edge either
}

TEST(Canvas, roles_print_one_letter_each) {
  Canvas canvas(1, 6);
  canvas.write(0, 0, "ab", Role::compute);
  canvas.write(0, 3, "c", Role::fallback);
  EXPECT_EQ(canvas.roles(), "cc.F");
}

TEST(Canvas, no_two_roles_share_a_letter) {
  Canvas canvas(1, role_count);
  for (int i = 0; i < role_count; ++i) canvas.put(0, i, U'x', static_cast<Role>(i));
  const std::string letters = canvas.roles();
  for (std::size_t i = 0; i < letters.size(); ++i) {
    EXPECT_EQ(letters.find(letters[i]), i) << name_of(static_cast<Role>(i));
  }
}

TEST(Canvas, a_negative_size_is_empty) {
  const Canvas canvas(-3, 5);
  EXPECT_EQ(canvas.rows(), 0);
  EXPECT_EQ(canvas.text(), "");
}

TEST(Canvas, marks_as_many_items_as_a_program_has_kernels) {
  Canvas canvas(1, 4);
  canvas.mark({0, 1, 1, 1}, 40'000);
  EXPECT_EQ(canvas.item_at(0, 1), 40'000);
  EXPECT_EQ(canvas.item_at(0, 0), -1);
}

}  // namespace tpulab::canvas_test
