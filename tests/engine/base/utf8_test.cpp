#include "engine/base/utf8.h"

#include <gtest/gtest.h>

namespace tpulab::test::utf8_test {
namespace {

TEST(Utf8, characters_have_one_to_four_bytes) {
  EXPECT_EQ(character_size("a", 0), 1U);
  EXPECT_EQ(character_size("xé", 1), 2U);
  EXPECT_EQ(character_size("日本", 3), 3U);
  EXPECT_EQ(character_size("\U0010FFFF", 0), 4U);
}

TEST(Utf8, broken_and_illegal_forms_are_no_characters) {
  EXPECT_EQ(character_size("\xc3", 0), 0U);              // cut off
  EXPECT_EQ(character_size("\xc3(", 0), 0U);             // broken off
  EXPECT_EQ(character_size("é", 1), 0U);                 // from the middle
  EXPECT_EQ(character_size("\xc0\xaf", 0), 0U);          // '/' in two bytes
  EXPECT_EQ(character_size("\xe0\x9f\xbf", 0), 0U);      // U+07FF in three
  EXPECT_EQ(character_size("\xed\xa0\x80", 0), 0U);      // the surrogate U+D800
  EXPECT_EQ(character_size("\xf0\x8f\xbf\xbf", 0), 0U);  // U+FFFF in four
  EXPECT_EQ(character_size("\xf4\x90\x80\x80", 0), 0U);  // U+110000
}

TEST(Utf8, printable_text_shows_controls_and_stray_bytes_instead_of_passing_them) {
  EXPECT_EQ(printable("batch 64, grün"), "batch 64, grün");
  EXPECT_EQ(printable("a\x1b[2J\n\x7f"), "a<U+001B>[2J␤<U+007F>");
  EXPECT_EQ(printable("\u009b"), "<U+009B>");
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "<FF>a<C3>");
}

TEST(Utf8, marks_that_turn_the_direction_of_reading_are_shown) {
  EXPECT_EQ(printable("a\u202eb\u2066\u200f\u061c"), "a<U+202E>b<U+2066><U+200F><U+061C>");
  EXPECT_EQ(printable("\u200b\u2028\ufeff"), "<U+200B><U+2028><U+FEFF>");
  EXPECT_EQ(printable("日本 é \u2800"), "日本 é \u2800");
}

TEST(Utf8, a_long_text_keeps_its_head_and_its_tail) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("aaaaaa" + std::string(100, 'b') + "ccc", 33),
            "aaaaaa ... 100 bytes more ... ccc");
}

TEST(Utf8, a_shortened_text_is_short_enough_to_stay) {
  const std::string text(2500, 'x');
  for (std::size_t most = 0; most < 2600; most += 7) {
    const std::string once = shortened(text, most);
    EXPECT_LE(once.size(), most);
    EXPECT_EQ(shortened(once, most), once);
  }
  EXPECT_EQ(shortened(text, 10), "xxxxxxxxxx");
}

TEST(Utf8, no_character_is_cut_by_shortening) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "日";
  for (std::size_t most = 0; most < 60; ++most) {
    const std::string cut = shortened(text, most);
    EXPECT_EQ(printable(cut), cut);
  }
}

}  // namespace
}  // namespace tpulab::test::utf8_test
