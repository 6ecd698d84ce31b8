#include "tui/prompt/prompt.h"

#include <gtest/gtest.h>

#include <clocale>
#include <random>
#include <string>
#include <vector>

namespace tpulab::prompt_test {
namespace {

using Lines = std::vector<std::string>;

// Knows two verbs and the values of one setting.
Lines words(std::string_view line) {
  if (line == "precision ") return {"16-true", "32-true"};
  if (line == "precision 1") return {"16-true"};
  Lines found;
  for (const char* word : {"pause", "precision"}) {
    if (std::string_view(word).starts_with(line)) found.emplace_back(word);
  }
  return found;
}

class PromptTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { std::setlocale(LC_CTYPE, "C.UTF-8"); }

  Prompt prompt{words, {"batch 64", "grün", "devices [1]"}, "␤"};
};

TEST_F(PromptTest, an_entered_line_is_taken_once) {
  prompt.type("batch 64\r");
  EXPECT_EQ(prompt.take_entered(), Lines{"batch 64"});
  EXPECT_TRUE(prompt.take_entered().empty());
  EXPECT_TRUE(prompt.empty());
}

TEST_F(PromptTest, enter_alone_is_an_empty_line_and_empty_lines_among_others_are_dropped) {
  prompt.type("\r  \r");
  EXPECT_EQ(prompt.take_entered(), (std::vector<std::string>{"", ""}));
  prompt.paste("a\n\n\nb\n");
  prompt.type("\r");
  EXPECT_EQ(prompt.take_entered(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(PromptTest, the_cursor_is_a_byte_offset_of_a_whole_character) {
  prompt.type("日é");
  EXPECT_EQ(prompt.view().cursor, 5U);  // 3 + 2 bytes
  prompt.press("\x1b[D");
  EXPECT_EQ(prompt.view().cursor, 3U);
  prompt.type("\x7f");
  EXPECT_EQ(prompt.line(), "é");
}

TEST_F(PromptTest, a_character_of_several_bytes_behind_a_prefix_key_stays_whole) {
  prompt.type("\x18é");
  EXPECT_EQ(prompt.line(), "é");
  prompt.type("\x18");
  prompt.press("\x1bü");
  EXPECT_EQ(prompt.line(), "é");
  prompt.press("\x1b-");
  prompt.type("日");
  EXPECT_EQ(prompt.line(), "é日");
}

TEST_F(PromptTest, the_mark_of_another_line_does_not_part_a_character) {
  prompt.type(
      "a\x1b"
      " bc");  // Meta-Space sets the mark
  prompt.clear_line();
  prompt.type("日\x18\x18é");  // to the mark and back
  EXPECT_TRUE(prompt.line() == "日é" || prompt.line() == "é日") << prompt.line();
}

// What is typed after a search joins the undo record of before it.
TEST_F(PromptTest, a_second_search_in_an_edited_line_of_the_history_keeps_the_edits) {
  prompt.press("\x1b[A");
  prompt.type("x\x13");  // Ctrl-S: a search that is left at once
  prompt.end_search();
  prompt.type("yyy\x12y");
  EXPECT_TRUE(prompt.line().starts_with(prompt.line_before_cursor()));
  prompt.end_search();
  EXPECT_EQ(prompt.line(), "devices [1]xyyy");
}

TEST_F(PromptTest, a_new_line_keeps_what_was_typed_after_a_search) {
  prompt.type("abc\x13");
  prompt.end_search();
  prompt.type("def");
  prompt.press("\x1b[A");
  prompt.press("\x1b[B");
  EXPECT_EQ(prompt.line(), "abcdef");
  prompt.type(
      "\x12"
      "d");
  prompt.end_search();
  EXPECT_EQ(prompt.line(), "abcdef");
}

TEST_F(PromptTest, a_search_for_a_very_long_text_ends) {
  prompt.paste(std::string(3000, 'y'));
  prompt.type("\x12\x19");  // Ctrl-Y would search for the whole line
  EXPECT_FALSE(prompt.searching());
  prompt.clear_line();
  prompt.type("\x12" + std::string(1000, 'z'));
  EXPECT_FALSE(prompt.searching());
  EXPECT_LT(prompt.line().size(), 1000U);
}

TEST_F(PromptTest, keyboard_macros_are_off_because_they_break_characters) {
  prompt.type(
      "\x18(é\x18)\x18"
      "ea");
  EXPECT_EQ(prompt.line(), "éa");
}

TEST_F(PromptTest, a_key_is_repeated_a_thousand_times_at_most) {
  for (int i = 0; i < 8; ++i)
    prompt.press(
        "\x1b"
        "9");
  prompt.type("x");
  EXPECT_EQ(prompt.line(), std::string(1000, 'x'));
}

TEST_F(PromptTest, a_line_that_doubles_with_every_key_ends_at_two_mebibytes) {
  prompt.type("é");
  for (int i = 0; i < 40; ++i) prompt.type("\x15\x19\x19");  // cut, and insert twice
  EXPECT_EQ(prompt.line().size(), std::size_t{2} << 20);
  EXPECT_TRUE(prompt.line().ends_with("é"));
}

TEST_F(PromptTest, arrows_walk_through_the_history) {
  prompt.press("\x1b[A");
  EXPECT_EQ(prompt.line(), "devices [1]");
  prompt.press("\x1bOA");
  EXPECT_EQ(prompt.line(), "grün");
}

// The edited line of the history owns readline's undo list.
TEST_F(PromptTest, an_edited_line_of_the_history_can_be_cleared) {
  prompt.press("\x1b[A");
  prompt.type("\x7f\x7f");
  prompt.press("\x1b[A");
  prompt.press("\x1b[B");
  prompt.type("\x17");
  prompt.clear_line();
  EXPECT_TRUE(prompt.empty());
  prompt.type("run\r");
  prompt.press("\x1b[A");
  EXPECT_EQ(prompt.line(), "run");
  prompt.type("\r");
  EXPECT_EQ(prompt.take_entered(), (Lines{"run", "run"}));
}

TEST_F(PromptTest, meta_keys_move_by_words) {
  prompt.type("batch 64");
  prompt.press(
      "\x1b"
      "b");
  EXPECT_EQ(prompt.view().cursor, 6U);
}

TEST_F(PromptTest, sequences_without_a_meaning_leave_no_letters_behind) {
  prompt.press("\x1b[25;2~");
  prompt.press("\x1b[1;9Z");
  EXPECT_EQ(prompt.line(), "");
}

TEST_F(PromptTest, control_r_finds_a_line_by_a_letter_of_two_bytes) {
  prompt.type("\x12");
  EXPECT_TRUE(prompt.searching());
  prompt.type("rü");
  EXPECT_NE(prompt.view().prompt.find("`rü'"), std::string::npos);
  EXPECT_EQ(prompt.view().line, "grün");
  prompt.end_search();
  EXPECT_FALSE(prompt.searching());
  EXPECT_EQ(prompt.line(), "grün");
}

TEST_F(PromptTest, a_key_that_search_does_not_know_ends_it_and_acts) {
  prompt.type("\x12");
  prompt.type("\x18u");  // Ctrl-X u: undo; readline 8.2 would crash inside a search
  EXPECT_FALSE(prompt.searching());
  prompt.type(
      "\x12"
      "bat\x01");
  EXPECT_EQ(prompt.line(), "batch 64");
  EXPECT_EQ(prompt.view().cursor, 0U);
}

TEST_F(PromptTest, a_new_prompt_waits_for_the_end_of_a_search) {
  prompt.set_prompt("a> ");
  prompt.type("\x12");
  prompt.set_prompt("b> ");
  EXPECT_NE(prompt.view().prompt.find("reverse"), std::string::npos);
  prompt.end_search();
  prompt.set_prompt("b> ");
  EXPECT_EQ(prompt.view().prompt, "b> ");
}

TEST_F(PromptTest, tab_completes_what_is_certain_and_lists_the_rest) {
  prompt.type("p\t");
  EXPECT_EQ(prompt.line(), "p");
  EXPECT_EQ(prompt.candidates(), (Lines{"pause", "precision"}));
  prompt.type("r\t");
  EXPECT_EQ(prompt.line(), "precision ");
  EXPECT_TRUE(prompt.candidates().empty());
}

TEST_F(PromptTest, tab_completes_values) {
  prompt.type("precision \t");
  EXPECT_EQ(prompt.candidates(), (Lines{"16-true", "32-true"}));
  prompt.type("1\t");
  EXPECT_EQ(prompt.line(), "precision 16-true ");
}

TEST_F(PromptTest, tab_without_candidates_changes_nothing) {
  prompt.type("/etc/pas\t");
  EXPECT_EQ(prompt.line(), "/etc/pas");
}

TEST_F(PromptTest, pasted_lines_wait_for_enter_and_come_one_by_one) {
  prompt.paste("batch 64\n\n  run\n");
  EXPECT_TRUE(prompt.take_entered().empty());
  EXPECT_EQ(prompt.view().line, "batch 64␤␤  run");
  prompt.type("\r");
  EXPECT_EQ(prompt.take_entered(), (Lines{"batch 64", "run"}));
}

TEST_F(PromptTest, a_pasted_call_over_several_lines_is_one) {
  prompt.paste(
      "trainer = Trainer(\n    accelerator=\"tpu\",  # don't\n    devices=1,\n)\nbatch 64\n");
  prompt.type("\r");
  EXPECT_EQ(prompt.take_entered(),
            (Lines{"trainer = Trainer(     accelerator=\"tpu\",       devices=1, )", "batch 64"}));
}

TEST_F(PromptTest, marks_that_turn_or_hide_text_are_shown) {
  prompt.paste("a\u202eb\ufeff");
  EXPECT_EQ(prompt.view().line, "a<U+202E>b<U+FEFF>");
  EXPECT_EQ(prompt.view().cursor, prompt.view().line.size());
}

TEST_F(PromptTest, control_d_ends_the_input_only_on_an_empty_line) {
  prompt.type("ab\x01\x04");  // to the beginning, delete a
  EXPECT_EQ(prompt.line(), "b");
  EXPECT_FALSE(prompt.take_end_of_input());
  prompt.clear_line();
  prompt.type("\x04");
  EXPECT_TRUE(prompt.take_end_of_input());
  EXPECT_FALSE(prompt.take_end_of_input());
}

// The sanitizers watch this one: readline's undo lists broke under such keys.
TEST_F(PromptTest, random_keys_do_no_harm) {
  const Lines keys{"\x12", "\x13", "\x10", "\x0e", "\x0f", "\x1f", "\x18u", "\r",   "\r",
                   "\x7f", "\x15", "\x0b", "\x17", "\x19", "\x01", "\x05",  "\x07", "\x14",
                   "\t",   "\x16", "a",    "b",    "ö",    " ",    "ab"};
  const Lines sequences{"\x1b[A",
                        "\x1b[B",
                        "\x1b[C",
                        "\x1b[D",
                        "\x1b<",
                        "\x1b>",
                        "\x1b.",
                        "\x1by",
                        "\x1b"
                        "b",
                        "\x1b"
                        "d",
                        "\x1br",
                        "\x1bu",
                        "\x1b"
                        "5",
                        "\x1bn",
                        "\x1bp",
                        "\x1b\n"};
  std::minstd_rand random(20261107);
  for (int i = 0; i < 30000; ++i) {
    const auto number = random();
    if (number % 3 == 0) {
      prompt.press(sequences[number / 3 % sequences.size()]);
    } else {
      prompt.type(keys[number / 3 % keys.size()]);
    }
    if (number % 101 == 0) prompt.paste("one\ntwo");
    const auto view = prompt.view();
    ASSERT_LE(view.cursor, view.line.size());
    prompt.take_entered();
  }
}

TEST_F(PromptTest, a_long_paste_is_kept_whole) {
  const std::string text(200'000, 'x');
  prompt.paste(text);
  EXPECT_EQ(prompt.line(), text);
}

TEST_F(PromptTest, a_line_equal_to_the_newest_is_not_added_to_the_history) {
  prompt.type("devices [1]\r");
  prompt.take_entered();
  prompt.press("\x1b[A");
  prompt.press("\x1b[A");
  EXPECT_EQ(prompt.line(), "grün");
}

}  // namespace
}  // namespace tpulab::prompt_test
