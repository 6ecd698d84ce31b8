#include "tui/terminal/input.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tpulab::input_test {
namespace {

using Events = std::vector<InputEvent>;

InputEvent text(std::string bytes) { return {Key::text, std::move(bytes)}; }
InputEvent sequence(std::string bytes) { return {Key::sequence, std::move(bytes)}; }
InputEvent paste(std::string bytes) { return {Key::paste, std::move(bytes)}; }

TEST(Input, plain_letters_are_one_text) {
  InputParser parser;
  EXPECT_EQ(parser.take("batch 64\r"), Events{text("batch 64\r")});
  EXPECT_EQ(parser.waiting(), Waiting::nothing);
}

TEST(Input, a_character_split_over_two_reads_comes_whole) {
  InputParser parser;
  EXPECT_EQ(parser.take("gr\xC3"), Events{text("gr")});
  EXPECT_EQ(parser.waiting(), Waiting::nothing);
  EXPECT_EQ(parser.take("\xB6"), Events{text("ö")});
}

TEST(Input, clicks_and_the_wheel_come_with_their_place) {
  InputParser parser;
  const InputEvent click{.key = Key::click, .row = 4, .column = 11};
  EXPECT_EQ(parser.take("\x1b[<0;12;5M"), Events{click});
  EXPECT_EQ(parser.take("\x1b[<0;12;5m"), Events{});  // let go
  EXPECT_EQ(parser.take("\x1b[<64;1;1M")[0].key, Key::wheel_up);
  EXPECT_EQ(parser.take("\x1b[<65;300;200M")[0],
            (InputEvent{.key = Key::wheel_down, .row = 199, .column = 299}));
  for (const char* other : {"\x1b[<2;1;1M", "\x1b[<0;1M", "\x1b[<;;M", "\x1b[<0;99999999999;1M"}) {
    EXPECT_EQ(parser.take(other), Events{}) << other + 1;
  }
}

TEST(Input, an_answer_of_the_terminal_is_no_key) {
  InputParser parser;
  const InputEvent answer{Key::answer, "11;rgb:ffff/ffff/ffff"};
  EXPECT_EQ(parser.take("a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b"),
            (Events{text("a"), answer, text("b")}));
  EXPECT_EQ(parser.take("\x1b]11;rgb:ffff/ffff/ffff\a"), Events{answer});
  for (const char* part : {"\x1b", "]1", "1;rgb:ffff/", "ffff/ffff", "\x1b"}) {
    EXPECT_TRUE(parser.take(part).empty());
    EXPECT_EQ(parser.waiting(), Waiting::escape);
  }
  EXPECT_EQ(parser.take("\\"), Events{answer});
}

TEST(Input, an_answer_that_never_ends_is_dropped) {
  InputParser parser;
  parser.take("\x1b]11;rgb:");
  EXPECT_TRUE(parser.give_up().empty());
  parser.take("\x1b]1" + std::string(100, '1'));
  EXPECT_EQ(parser.take("x"), Events{text("x")});
  EXPECT_TRUE(parser.take("\x1b]").empty());
  EXPECT_EQ(parser.give_up(), Events{sequence("\x1b]")});
  EXPECT_EQ(parser.take("\x1b]x"), (Events{sequence("\x1b]"), text("x")}));
}

TEST(Input, bytes_that_are_not_utf8_fall_away) {
  InputParser parser;
  EXPECT_EQ(parser.take("a\xFF\xC3(b\x80"), Events{text("a(b")});
}

TEST(Input, a_lone_escape_waits_and_is_escape_when_nothing_follows) {
  InputParser parser;
  EXPECT_TRUE(parser.take("\x1b").empty());
  EXPECT_EQ(parser.waiting(), Waiting::escape);
  EXPECT_EQ(parser.give_up(), Events{{Key::escape}});
  EXPECT_EQ(parser.waiting(), Waiting::nothing);
  EXPECT_EQ(parser.take("b"), Events{text("b")});  // and is not Meta-b
}

TEST(Input, escape_and_a_letter_at_once_is_a_meta_key) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b"
                        "b"),
            Events{sequence("\x1b"
                            "b")});
}

TEST(Input, two_escapes_are_escape_and_the_start_of_another) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b\x1b"), Events{{Key::escape}});
  EXPECT_EQ(parser.waiting(), Waiting::escape);
}

TEST(Input, arrows_split_over_reads_go_to_the_editor_whole) {
  InputParser parser;
  EXPECT_TRUE(parser.take("\x1b[").empty());
  EXPECT_EQ(parser.take("A"), Events{sequence("\x1b[A")});
  EXPECT_EQ(parser.take("\x1bOA"), Events{sequence("\x1bOA")});
  EXPECT_EQ(parser.take("\x1b[1;5C"), Events{sequence("\x1b[1;5C")});
}

TEST(Input, every_form_of_a_function_key_is_the_same_key) {
  for (const char* form : {"\x1bOP", "\x1b[11~", "\x1b[[A", "\x1b[P"}) {
    InputParser parser;
    EXPECT_EQ(parser.take(form), (Events{{Key::function, "", 1}})) << form + 1;
  }
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b[15~\x1b[24~"),
            (Events{{Key::function, "", 5}, {Key::function, "", 12}}));
}

TEST(Input, page_keys_work_with_and_without_modifiers) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b[5~\x1b[6;2~"), (Events{{Key::page_up}, {Key::page_down}}));
}

TEST(Input, control_l_asks_for_a_redraw_and_keeps_the_order) {
  InputParser parser;
  EXPECT_EQ(parser.take("a\fb"), (Events{text("a"), {Key::redraw}, text("b")}));
}

TEST(Input, mouse_and_focus_reports_are_swallowed) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b[<2;12;3Mx\x1b[I\x1b[?2026;1$y"), Events{text("x")});
}

TEST(Input, a_sequence_broken_off_loses_only_itself) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b[1;\x1b[Ax"), (Events{sequence("\x1b[A"), text("x")}));
}

TEST(Input, a_paste_is_one_event_with_its_line_ends_as_newlines) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b[200~batch 64\r\nrun\rwait\x1b[201~x"),
            (Events{paste("batch 64\nrun\nwait"), text("x")}));
}

TEST(Input, a_paste_may_come_in_pieces_even_its_end_mark) {
  InputParser parser;
  EXPECT_TRUE(parser.take("\x1b[200~ba").empty());
  EXPECT_EQ(parser.waiting(), Waiting::paste);
  EXPECT_TRUE(parser.take("tch\x1b[20").empty());
  EXPECT_EQ(parser.take("1~"), Events{paste("batch")});
  EXPECT_EQ(parser.waiting(), Waiting::nothing);
}

TEST(Input, controls_inside_a_paste_do_not_act) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b[200~a\x03\x1b[Ab\x7f\tc\xFF\x1b[201~"), Events{paste("a[Ab c")});
}

TEST(Input, a_paste_without_an_end_is_handed_over_when_the_time_is_up) {
  InputParser parser;
  parser.take("\x1b[200~batch");
  EXPECT_EQ(parser.give_up(), Events{paste("batch")});
  EXPECT_EQ(parser.take("x"), Events{text("x")});
}

TEST(Input, a_paste_above_the_limit_is_clipped_and_says_so) {
  InputParser parser;
  const std::string piece(4096, 'x');
  parser.take("\x1b[200~");
  for (int i = 0; i < 300; ++i) parser.take(piece);
  const auto events = parser.take("\x1b[201~");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].text.size(), InputParser::paste_limit);
  EXPECT_TRUE(events[0].clipped);
}

TEST(Input, overlong_forms_surrogates_and_numbers_beyond_unicode_are_dropped) {
  InputParser parser;
  EXPECT_EQ(parser.take("a\xed\xa0\x80\xf4\x90\x80\x80\xe0\x80\xaf"
                        "b"),
            Events{text("ab")});
  EXPECT_TRUE(parser.take("\x1b\xed\xa0\x80").empty());
}

TEST(Input, a_broken_off_keypad_sequence_takes_nothing_with_it) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1bOé\x1bO\r"), Events{text("é\r")});
}

TEST(Input, an_endless_sequence_is_dropped) {
  InputParser parser;
  EXPECT_EQ(parser.take("\x1b[" + std::string(100, '1') + "x"), Events{text("x")});
}

}  // namespace
}  // namespace tpulab::input_test
