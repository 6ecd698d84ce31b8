#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tui/example_snapshot.h"
#include "tests/tui/golden.h"
#include "tui/draw/theme.h"

namespace tpulab::screen_golden_test {

namespace {

struct Size {
  int columns;
  int rows;
};
constexpr Size sizes[] = {{60, 16}, {80, 24}, {100, 30}, {120, 40}, {200, 50}, {200, 60}};

void expect_golden_at(const std::string& name, const ScreenState& state, Size size) {
  const DrawnScreen drawn = draw_screen(state, size.rows, size.columns);
  expect_golden(fmt::format("{}_{}x{}", name, size.columns, size.rows), drawn.canvas);
}

ScreenState typing(Snapshot snapshot) {
  ScreenState state = example_screen(std::move(snapshot));
  state.line = "set batch 512";
  state.cursor = state.line.size();
  state.advice = "bound: host tracing 92 % -> batch 128: +179 % samples/s, Enter applies";
  state.hint = "batch: a whole number from 1 to 65536, now 32";
  return state;
}

}  // namespace

TEST(ScreenGolden, the_first_screen_says_what_to_type) {
  for (const Size size : sizes) {
    expect_golden_at("empty", example_screen(example_empty_snapshot()), size);
  }
}

TEST(ScreenGolden, a_host_bound_run_on_eight_cores) {
  for (const Size size : sizes) {
    expect_golden_at("training", typing(example_training_snapshot()), size);
  }
}

TEST(ScreenGolden, devices_1_lights_one_tile) {
  for (const Size size : {Size{80, 24}, Size{120, 40}}) {
    expect_golden_at("one_core", example_screen(example_one_core_snapshot()), size);
  }
}

TEST(ScreenGolden, compiles_fallbacks_and_a_slow_core) {
  for (const Size size : sizes) {
    expect_golden_at("events", example_screen(example_events_snapshot()), size);
  }
}

TEST(ScreenGolden, ascii_screens_hold_only_seven_bit_glyphs) {
  for (const Size size : sizes) {
    ScreenState state = typing(example_events_snapshot());
    state.view.glyphs = Glyphs::ascii;
    state.line = "müll\nnext";
    expect_golden_at("ascii", state, size);
    const std::string text = draw_screen(state, size.rows, size.columns).canvas.text();
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char byte) { return byte > 0; }));
  }
}

TEST(ScreenGolden, pods_are_heat_maps) {
  expect_golden_at("pod_32", example_screen(example_pod_snapshot(32)), {120, 40});
  expect_golden_at("pod_512", example_screen(example_pod_snapshot(512)), {80, 24});
  expect_golden_at("pod_2048", example_screen(example_pod_snapshot(2048)), {120, 40});
  expect_golden_at("cores_16", example_screen(example_pod_snapshot(16)), {120, 40});
}

TEST(ScreenGolden, completions_and_help_lie_over_the_panes) {
  ScreenState state = typing(example_training_snapshot());
  for (int i = 0; i < 30; ++i) {
    const std::string name = fmt::format("completion{}", i);
    state.completions.push_back({name, i < 9 ? "commands" : "settings", name, "what it means"});
  }
  expect_golden_at("completions", state, {80, 24});
  state.completions.clear();
  state.overlay_title = "help batch";
  state.overlay.emplace();
  for (int i = 1; i <= 40; ++i) {
    state.overlay->push_back(
        fmt::format("  {:>2}  a line of help that is long enough to be broken "
                    "where the screen is narrow",
                    i));
  }
  state.overlay_scroll = 5;
  expect_golden_at("help", state, {80, 24});
}

}  // namespace tpulab::screen_golden_test
