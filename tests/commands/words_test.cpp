#include "commands/words.h"

#include <gtest/gtest.h>

#include "commands/command.h"

namespace tpulab::words_test {
namespace {

using Words = std::vector<std::string>;

TEST(Words, brackets_and_quotes_hold_spaces) {
  EXPECT_EQ(typed_words("devices [1, 2]"), (Words{"devices", "[1, 2]"}));
  EXPECT_EQ(typed_words("  a\t'b c'  (d e) "), (Words{"a", "'b c'", "(d e)"}));
  EXPECT_EQ(typed_words(""), Words{});
}

TEST(Words, an_apostrophe_inside_a_word_opens_no_quote) {
  EXPECT_EQ(typed_words("it's a word"), (Words{"it's", "a", "word"}));
}

TEST(Words, a_comment_begins_at_a_hash_outside_quotes) {
  EXPECT_EQ(without_comment("batch 64 # bigger"), "batch 64 ");
  EXPECT_EQ(without_comment("# all of it"), "");
  EXPECT_EQ(without_comment("a '#' b # c"), "a '#' b ");
  EXPECT_EQ(without_comment("Trainer(devices=[1]) # the 2nd; not [2]"), "Trainer(devices=[1]) ");
}

TEST(Words, a_name_ends_at_the_first_equals_sign_outside_brackets) {
  EXPECT_EQ(name_and_value("batch=64").name, "batch");
  EXPECT_EQ(name_and_value("batch=64").value, "64");
  EXPECT_EQ(name_and_value("a=b=c").value, "b=c");
  EXPECT_EQ(name_and_value("Trainer(a=1)").name, "");
  EXPECT_EQ(name_and_value("batch").value, "batch");
}

TEST(Words, a_value_stands_in_the_quotes_with_which_it_is_read_back) {
  EXPECT_EQ(in_quotes_if_needed("v3-8"), "v3-8");
  EXPECT_EQ(in_quotes_if_needed("[16, 16]"), "[16, 16]");
  EXPECT_EQ(in_quotes_if_needed("conv 16 3x3 relu | dense 10"), "\"conv 16 3x3 relu | dense 10\"");
  EXPECT_EQ(in_quotes_if_needed("/d/it's.csv"), "/d/it's.csv");
  EXPECT_EQ(in_quotes_if_needed("/d/'b/c.csv"), "\"/d/'b/c.csv\"");
  EXPECT_EQ(in_quotes_if_needed("/d/a \"b c.csv"), "'/d/a \"b c.csv'");
  EXPECT_EQ(in_quotes_if_needed("/d/(b.csv"), "\"/d/(b.csv\"");
}

TEST(SplitCommands, semicolons_split_outside_quotes_brackets_and_comments) {
  EXPECT_EQ(split_commands("batch 64; run ;metrics"), (Words{"batch 64", "run", "metrics"}));
  EXPECT_EQ(split_commands("a [1;2]; b 'c;d'"), (Words{"a [1;2]", "b 'c;d'"}));
  EXPECT_EQ(split_commands("run # now; later"), (Words{"run"}));
}

TEST(SplitCommands, a_comment_ends_with_its_line) {
  EXPECT_EQ(split_commands("# it's one; two\nrun\r\n\n; ;\nstop"), (Words{"run", "stop"}));
}

TEST(SplitCommands, an_empty_text_has_no_commands) {
  EXPECT_TRUE(split_commands("").empty());
  EXPECT_TRUE(split_commands(" ;; \n #").empty());
}

TEST(Words, a_file_is_named_as_in_a_shell) {
  EXPECT_EQ(file_named("report.txt"), "report.txt");
  EXPECT_EQ(file_named("\"my report.txt\""), "my report.txt");
  EXPECT_EQ(file_named("'~/it'"), "~/it");
  EXPECT_TRUE(file_named("~/it").ends_with("/it"));
  EXPECT_EQ(typed_words("analyse 'a b.txt'")[1], "'a b.txt'");
}

}  // namespace
}  // namespace tpulab::words_test
