// Whatever text reaches the screen, at any size.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fuzz/mutation.h"
#include "tests/tui/example_snapshot.h"
#include "tui/draw/canvas.h"
#include "tui/screen/screen.h"

namespace tpulab::fuzz::screen_fuzz_test {
namespace {

Corpus shown_texts() {
  return {.seeds = {"step 50  loss 0.0123  4,000 samples/s", "grün 日本語 e\u0301", "─│█▒░·⣿",
                    "\U0001f600 \U0001f1e9\U0001f1ea", ""},
          .words = {"日", "█", "\u0301", "\u200d", "\U0001f600", " ", "  ", "a", "\t"}};
}

// The second half of a wide character stands behind its first, and no control gets through.
void expect_sound(const Canvas& canvas) {
  for (int row = 0; row < canvas.rows(); ++row) {
    for (int column = 0; column < canvas.columns(); ++column) {
      const char32_t glyph = canvas.at(row, column).glyph;
      const char32_t before = column > 0 ? canvas.at(row, column - 1).glyph : U' ';
      const bool half = glyph == 0;
      EXPECT_EQ(half, glyph_width(before) == 2) << "row " << row << ", column " << column;
      EXPECT_TRUE(half || (glyph >= 0x20 && glyph != 0x7F)) << static_cast<int>(glyph);
    }
  }
  EXPECT_TRUE(is_utf8(canvas.text()));
}

int between(Random& random, int low, int high) {
  return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

void fuzz_canvas(Effort effort) {
  Canvas canvas(5, 24);
  expect_holds(shown_texts(), effort, [&](const std::string& text, Random& random) {
    const int column = between(random, -4, 28);
    const int limit = between(random, -1, 30);
    const int end = canvas.write(between(random, -1, 5), column, text, Role::text, false, limit);
    EXPECT_GE(end, column);
    EXPECT_LE(end, std::max(column, canvas.columns()));
    if (random.below(8) == 0) canvas.paste(Canvas(2, 5), between(random, -2, 5), column);
    expect_sound(canvas);
  });
}

OutputLine output_line(std::string text) {
  OutputLine line;
  line.text = std::move(text);
  return line;
}

void fuzz_screens(Effort effort) {
  const Texts seeds = shown_texts().seeds;
  std::vector<ScreenState> states{
      example_screen(example_empty_snapshot()), example_screen(example_training_snapshot()),
      example_screen(example_events_snapshot()), example_screen(example_pod_snapshot(256))};
  expect_holds(shown_texts(), effort, [&](const std::string& text, Random& random) {
    ScreenState state = states[random.below(states.size())];
    const std::vector<OutputLine> lines{output_line(seeds[random.below(5)]), output_line(text)};
    state.view.output = lines;
    state.view.output_scroll = between(random, 0, 3);
    if (random.below(3) > 0) state.line = text;
    state.cursor = random.below(text.size() + 1);
    if (random.below(4) == 0) state.prompt = text;
    if (random.below(4) == 0) state.hint = text;
    if (random.below(4) == 0) {
      state.completions = {{"run", "commands", "run", text}, {text, text, text, ""}};
      state.completion_page = static_cast<int>(random.below(5));
    }
    if (random.below(8) == 0) state.overlay = {text, "help", text};
    if (random.below(8) == 0) state.view.glyphs = Glyphs::ascii;
    const int rows = between(random, 1, 60);
    const int columns = between(random, 1, 160);
    const DrawnScreen drawn = draw_screen(state, rows, columns);
    EXPECT_TRUE(drawn.cursor_row >= 0 && drawn.cursor_row < rows);
    EXPECT_TRUE(drawn.cursor_column >= 0 && drawn.cursor_column < columns);
    expect_sound(drawn.canvas);
  });
}

TEST(ScreenFuzz, any_text_leaves_a_sound_canvas) { fuzz_canvas({.inputs = 20000}); }
TEST(ScreenFuzz, any_text_is_drawn_at_any_size) { fuzz_screens({.inputs = 600}); }

TEST(SlowScreenFuzz, any_text_leaves_a_sound_canvas) { fuzz_canvas({.slow = true}); }
TEST(SlowScreenFuzz, any_text_is_drawn_at_any_size) { fuzz_screens({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::screen_fuzz_test
