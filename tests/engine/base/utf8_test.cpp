#include "engine/base/utf8.h"

#include <gtest/gtest.h>

namespace tpulab::test {
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

TEST(Utf8, printable_text_has_no_controls_and_no_stray_bytes) {
  EXPECT_EQ(printable("batch 64, grün"), "batch 64, grün");
  EXPECT_EQ(printable("a\x1b[2J\n\x7f"), "a?[2J??");
  EXPECT_EQ(printable("\u009b"), "?");
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "?a?");
}

}  // namespace
}  // namespace tpulab::test
