// Bytes from the keyboard: the parser of keys, and the line editor behind it.
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>

#include "tests/fuzz/mutation.h"
#include "tui/prompt/prompt.h"
#include "tui/terminal/input.h"

namespace tpulab::fuzz::keys_fuzz_test {
namespace {

Corpus keys() {
  return {
      .seeds = {"batch 64\r", "\x1b[A\x1b[B\x1b[C\x1b[D", "\x1bOA\x1bOP\x1b[11~\x1b[24~",
                "\x1b[200~run\rbatch 64\r\x1b[201~\r", "\x1b", "\x1b\x1b", "\x1b[5~\x1b[6~",
                "\x12"
                "ba\r",
                "\x1b[<0;10;10M\x1b[I\x1b[O", "grün 日本 é\x7f\x7f\r", "p\t\t\r",
                "\x1b"
                "b\x1b"
                "f\x1b"
                "d\x17\x19\x1b"
                "y",
                "\x18(ab\x18)\x18"
                "e",
                "\x1b"
                "5x",
                "\x16\x01", "\x01\x0b\x05\x15\x19", "\x1b[A\x7f\x7f\x1b[A\x1b[B\x17\x03\r\x1b[A\r"},
      .words = {"\x1b[",
                "\x1b[A",
                "\x1b[B",
                "\x7f",
                "\x17",
                "\x1bO",
                "\x1b[200~",
                "\x1b[201~",
                "\x1b[1;5C",
                "\x1b[3~",
                "\x12",
                "\x13",
                "\x18",
                "\x16",
                "\x03",
                "\x04",
                "\x07",
                "\f",
                "\r",
                "\t",
                "\x1f",
                "\x1b"
                "9",
                "\x1b"
                "-",
                "\x1b\n",
                "\x1b.",
                "\x1b"
                "p",
                "\x1b"
                "u",
                "\x1b<",
                "\x18\x15",
                "\x18\x12",
                "\x1d"
                "a",
                "\x1b*",
                "\x1b?",
                "\x1b#",
                "\x1b~"}};
}

std::vector<InputEvent> events_of(InputParser& parser, const std::string& bytes, Random& random) {
  std::vector<InputEvent> events;
  const auto add = [&](std::vector<InputEvent> more) {
    std::ranges::move(more, std::back_inserter(events));
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = random.below(random.below(4) == 0 ? 4 : 400) + 1;
    add(parser.take(std::string_view(bytes).substr(at, length)));
    at += length;
  }
  for (int i = 0; i < 2; ++i) add(parser.give_up());
  return events;
}

// However the bytes arrive, in the end nothing waits, and texts are whole characters.
void fuzz_parser(Effort effort) {
  InputParser parser;
  expect_holds(keys(), effort, [&](const std::string& bytes, Random& random) {
    for (const InputEvent& event : events_of(parser, bytes, random)) {
      EXPECT_TRUE(is_utf8(event.text));
      EXPECT_EQ(event.key == Key::function, event.number > 0);
      const bool has_text = event.key == Key::text || event.key == Key::sequence ||
                            event.key == Key::paste || event.key == Key::answer;
      EXPECT_TRUE(has_text || event.text.empty());
      EXPECT_TRUE(event.key != Key::sequence || event.text.starts_with('\x1b'));
      EXPECT_TRUE(event.key != Key::paste || event.text.find('\x1b') == std::string::npos);
    }
    EXPECT_EQ(parser.waiting(), Waiting::nothing);
  });
}

std::vector<std::string> words(std::string_view line) {
  if (line.size() % 3 == 0) return {};
  return line.size() % 3 == 1 ? Texts{"pause"} : Texts{"precision ", "grün=", "pause"};
}

void expect_sound(Prompt& prompt) {
  const PromptView view = prompt.view();
  EXPECT_LE(view.cursor, view.line.size());
  EXPECT_TRUE(is_utf8(view.line));
  EXPECT_TRUE(is_utf8(view.line.substr(0, view.cursor))) << "the cursor is inside a character";
  EXPECT_TRUE(prompt.line().starts_with(prompt.line_before_cursor()));
  for (const std::string& line : prompt.take_entered()) {  // an empty one: Enter alone
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

// Checking a line of megabytes after each key would take the time of a thousand others.
constexpr std::size_t long_line = 1 << 15;

void clear(Prompt& prompt) {
  prompt.clear_line();
  EXPECT_TRUE(prompt.empty());
}

// Ctrl-C comes as a signal, and the screen clears the line.
void type(Prompt& prompt, std::string_view character) {
  character == "\x03" ? clear(prompt) : prompt.type(character);
  expect_sound(prompt);
}

void feed(Prompt& prompt, const InputEvent& event) {
  const bool is_text = event.key == Key::text;
  for (std::size_t at = 0; is_text && at < event.text.size();) {
    if (prompt.line().size() > long_line) return;
    const std::size_t size = character_length(event.text[at]);
    type(prompt, std::string_view(event.text).substr(at, size));
    at += size;
  }
  if (event.key == Key::sequence) prompt.press(event.text);
  if (event.key == Key::paste) prompt.paste(event.text);
  if (event.key == Key::escape) prompt.end_search();
}

void fuzz_prompt(Effort effort) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  Prompt prompt(words, {"batch 64", "grün", "日本 devices [1]"}, "␤");
  expect_holds(keys(), effort, [&](const std::string& bytes, Random& random) {
    InputParser parser;
    for (const InputEvent& event : events_of(parser, bytes, random)) {
      if (prompt.line().size() > long_line) break;
      feed(prompt, event);
      expect_sound(prompt);
      if (random.below(16) == 0) clear(prompt);
    }
    prompt.take_end_of_input();
    // Half of the inputs begin in the line, the history and the prefix key of the one before.
    if (random.below(2) == 0 || prompt.line().size() > long_line) clear(prompt);
  });
}

TEST(KeysFuzz, any_bytes_become_keys) { fuzz_parser({.inputs = 60000}); }
TEST(KeysFuzz, any_keys_leave_a_sound_line) { fuzz_prompt({.inputs = 1500}); }

TEST(SlowKeysFuzz, any_bytes_become_keys) { fuzz_parser({.slow = true}); }
TEST(SlowKeysFuzz, any_keys_leave_a_sound_line) { fuzz_prompt({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::keys_fuzz_test
