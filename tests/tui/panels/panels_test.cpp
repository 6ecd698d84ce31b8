#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../example_snapshot.h"
#include "engine/session/run/ended_runs.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/timeline/event_lines.h"

namespace tpulab::panels_test {

namespace {

std::string drawn(std::string_view panel, const Snapshot& now, int rows, int columns,
                  const ViewState& view = {}) {
  Canvas canvas(rows, columns);
  panel_named(panel).draw(now, view, canvas);
  return canvas.text();
}

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

ViewState each_device() {
  ViewState view;
  view.each_device = true;
  return view;
}

// All of a pod wait for one device.
Snapshot pod_with_slow(int cores, std::size_t slow, double wait) {
  Snapshot now = example_pod_snapshot(cores);
  for (CoreView& core : now.cores) {
    core.shares = {};
    core.duty_cycle = 1;
    core.shares[index_of(Share::compute)] = 1 - wait;
    core.shares[index_of(Share::collective_wait)] = wait;
    core.wait = picoseconds_from_seconds(1.2e-3);
  }
  now.cores[slow].shares[index_of(Share::compute)] = 1;
  now.cores[slow].shares[index_of(Share::collective_wait)] = 0;
  now.cores[slow].wait = {};
  return now;
}

std::vector<OutputLine> numbered_lines(int count) {
  std::vector<OutputLine> lines(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].text = "line " + std::to_string(i + 1);
  return lines;
}

}  // namespace

TEST(Panels, every_panel_draws_every_state_at_every_size) {
  Snapshot bare;  // nothing in it at all
  bare.losses = std::make_shared<const std::vector<LossPoint>>();
  for (const Snapshot& now :
       {bare, example_empty_snapshot(), example_events_snapshot(), example_two_runs_snapshot(),
        example_pod_snapshot(1), example_pod_snapshot(512)}) {
    for (const Panel* panel : all_panels()) {
      for (int i = 0; i < 20 * 15; ++i) {
        ViewState view;
        view.glyphs = i % 2 == 0 ? Glyphs::unicode : Glyphs::ascii;
        view.output = now.output;
        EXPECT_NO_THROW(drawn(panel->name, now, i / 15, i % 15 * 9, view));
      }
    }
  }
}

TEST(Panels, captions_are_short) {
  for (const Snapshot& now : {example_empty_snapshot(), example_events_snapshot()}) {
    for (const Panel* panel : all_panels()) {
      const std::string caption = panel->caption ? panel->caption(now) : std::string();
      EXPECT_LT(display_width(caption), 80) << caption;
    }
  }
}

TEST(LossPanel, a_run_without_numbers_says_so) {
  Snapshot now = example_empty_snapshot();
  now.run.numbers = false;
  EXPECT_TRUE(says(drawn("loss", now, 8, 60), "time only: no loss is computed"));
}

// The roles of the cells of a loss pane.
std::vector<Role> roles_of_loss(const Snapshot& now) {
  Canvas canvas(12, 60);
  panel_named("loss").draw(now, {}, canvas);
  std::vector<Role> roles;
  for (int row = 0; row < 11; ++row) {
    for (int column = 8; column < 60; ++column) {
      if (canvas.at(row, column).glyph != U' ') roles.push_back(canvas.at(row, column).role);
    }
  }
  return roles;
}

std::shared_ptr<const EndedRun> ended_run(std::int64_t number, std::vector<LossPoint> losses) {
  EndedRun run;
  run.record.view.number = number;
  run.losses = std::make_shared<const std::vector<LossPoint>>(std::move(losses));
  return std::make_shared<const EndedRun>(std::move(run));
}

TEST(LossPanel, losses_of_earlier_runs_lie_dim_and_dotted_behind_the_newest) {
  Snapshot now = example_training_snapshot();
  now.run.number = 3;
  EXPECT_EQ(std::ranges::count(roles_of_loss(now), Role::dim), 0);
  const auto newest = std::ranges::count(roles_of_loss(now), Role::curve);
  now.ended = {ended_run(1, {}), ended_run(2, {{1, 2.2F}, {60, 1.6F}, {112, 1.5F}}),
               ended_run(3, *now.losses)};
  const std::vector<Role> roles = roles_of_loss(now);
  EXPECT_EQ(std::ranges::count(roles, Role::curve), newest);
  EXPECT_GT(std::ranges::count(roles, Role::dim), 10);
  EXPECT_LT(std::ranges::count(roles, Role::dim), 48);  // dotted
  EXPECT_TRUE(panel_named("loss").caption(now).ends_with(", dotted: run 2"));
}

TEST(LossPanel, an_earlier_run_that_diverged_or_was_longer_makes_the_newest_no_smaller) {
  Snapshot now = example_training_snapshot();
  now.run.number = 2;
  const std::string alone = drawn("loss", now, 12, 60);
  now.run.steps_total = 112;
  now.ended = {ended_run(1, {{200, 0.4F}, {9000, 0.01F}, {50, 1e9F}})};
  EXPECT_EQ(drawn("loss", now, 12, 60), alone);
}

TEST(CoresPanel, a_device_that_is_a_chip_is_called_so_in_every_view) {
  for (const int chips : {4, 16, 512}) {
    Snapshot now = example_pod_snapshot(chips);
    now.run.device = "chip";
    for (const int rows : {5, 13}) {
      const std::string text = drawn("cores", now, rows, 116);
      EXPECT_TRUE(says(text, "chip")) << text;
      EXPECT_FALSE(says(text, "core")) << text;
      EXPECT_FALSE(says(drawn("cores", now, rows, 116, each_device()), "core"));
    }
    EXPECT_TRUE(says(panel_named("cores").caption(now), "chips at work"));
    const std::string small = draw_screen(example_screen(now), 16, 60).canvas.text();
    EXPECT_TRUE(says(small, "chips " + std::to_string(chips))) << small;
    EXPECT_FALSE(says(small, "cores " + std::to_string(chips))) << small;
  }
}

TEST(CoresPanel, a_core_that_is_not_used_is_off_not_bad) {
  const std::string text = drawn("cores", example_one_core_snapshot(), 12, 120, each_device());
  EXPECT_TRUE(says(text, "core 0 (off)"));
  EXPECT_TRUE(says(text, "not used by this run"));
  EXPECT_FALSE(says(text, "core 1 (off)"));
  EXPECT_FALSE(says(text, "duty 0 %"));
}

TEST(CoresPanel, tiny_utilisation_keeps_its_digits) {
  const std::string text = drawn("cores", example_training_snapshot(), 12, 120, each_device());
  EXPECT_TRUE(says(text, "duty 5.2 %"));
  EXPECT_TRUE(says(text, "useful 0.03 %"));
  EXPECT_TRUE(says(text, "host tracing        94 %"));
  EXPECT_TRUE(says(text, "HBM 18.0 MiB / 16.0 GiB"));
}

TEST(CoresPanel, the_narrowest_tile_cuts_no_figure) {
  const std::string text =
      drawn("cores", example_pod_snapshot(4), 6, 100, each_device());  // 25 columns each
  EXPECT_TRUE(says(text, "HBM 18.0 MiB/16.0 GiB"));
  EXPECT_FALSE(says(text, "…"));
  Snapshot full = example_pod_snapshot(4);
  full.cores[0].hbm_used = full.cores[0].hbm_limit;
  EXPECT_TRUE(says(drawn("cores", full, 6, 100, each_device()), "! 16.0 GiB/16.0 GiB"));
}

TEST(CoresPanel, devices_that_do_the_same_are_one_tile_in_words) {
  const std::string text = drawn("cores", example_training_snapshot(), 7, 120);
  EXPECT_TRUE(says(text, "┌ 8 cores, identical ─"));
  EXPECT_TRUE(says(text, "HBM 18.0 MiB / 16.0 GiB each"));
  EXPECT_TRUE(says(text, "H host tracing 94 %   ▄ HBM-bound 3.1 %"));
  EXPECT_TRUE(says(text, "HHHH host tracing 94 % HHHH"));
  EXPECT_TRUE(says(text, "of the last 16 steps"));
}

TEST(CoresPanel, a_straggler_has_a_tile_of_its_own_in_every_view) {
  Snapshot now = example_events_snapshot();
  EXPECT_TRUE(says(drawn("cores", now, 7, 120), "┌ core 4, straggler ─"));
  EXPECT_TRUE(says(drawn("cores", now, 7, 120), "┌ 7 other cores, identical ─"));
  EXPECT_TRUE(says(drawn("cores", now, 7, 120), "wait 874 us a step ┐"));
  EXPECT_TRUE(says(drawn("cores", now, 12, 120, each_device()), "! slow"));
  EXPECT_EQ(slow_devices(now.cores), std::vector<int>{4});
  ViewState compact;
  compact.compact = true;
  const std::string text = drawn("cores", now, 6, 50, compact);
  EXPECT_TRUE(says(text, "core 4, straggler"));
  EXPECT_TRUE(says(text, "others wait 874 us"));
}

TEST(CoresPanel, a_slow_link_is_named_on_tiles_and_marked_on_the_map) {
  Snapshot now = example_training_snapshot();
  now.run.torus.devices_per_chip = 2;
  now.run.slow_link = 3;
  EXPECT_TRUE(says(drawn("cores", now, 7, 120), "┌ 8 cores, links of chip 3 slow ─"));
  EXPECT_FALSE(says(drawn("cores", now, 7, 120), "all exchange"));  // not known yet
  now.run.slow = {.name = "links of chip 3", .text = {}, .costs = Picoseconds(4'000'000'000)};
  EXPECT_TRUE(says(drawn("cores", now, 7, 120), "─ all exchange 4.00 ms a step longer ┐"));
  now.run.slow.hidden = true;
  EXPECT_FALSE(says(drawn("cores", now, 7, 120), "all exchange"));
  now = pod_with_slow(128, 77, 0);
  EXPECT_FALSE(says(drawn("cores", now, 12, 116), "!"));
  now.run.slow_link = 3;
  const std::string text = drawn("cores", now, 12, 116);
  EXPECT_TRUE(says(text, "! links of chip 3 slow")) << text;
  EXPECT_FALSE(says(text, "all exchange")) << text;
  now.run.slow = {.name = "links of chip 3", .text = {}, .costs = Picoseconds(4'000'000'000)};
  EXPECT_TRUE(says(drawn("cores", now, 12, 116), "all exchange 4.00 ms longer")) << text;
  EXPECT_TRUE(says(text, "!!")) << text;
}

TEST(CoresPanel, a_pod_names_first_what_the_others_wait_for) {
  Snapshot now = pod_with_slow(2048, 77, 0.37);
  const std::string text = drawn("cores", now, 12, 116);
  EXPECT_TRUE(says(text, "! #77 slow: 2,047 wait")) << text;
  EXPECT_TRUE(says(text, "1.20 ms a step, on host 9")) << text;
  EXPECT_TRUE(says(text, "wait: waits for slower ones"));
  EXPECT_TRUE(says(text, "a cell: the most of 4 cores"));
  // 37 % is the second of four shades whatever the rest does; one cell is marked.
  EXPECT_TRUE(says(text, "▒▒▒▒!▒▒▒▒") || says(text, "▒▒▒▒!!▒▒▒▒")) << text;
  EXPECT_FALSE(says(text, "▓▓")) << text;
}

TEST(CoresPanel, a_pod_names_a_slow_host_by_its_number) {
  Snapshot now = pod_with_slow(32, 8, 0.5);
  for (std::size_t i = 9; i < 16; ++i) {
    now.cores[i] = now.cores[8];
    now.cores[i].index = static_cast<int>(i);
  }
  const std::string text = drawn("cores", now, 12, 116);
  EXPECT_TRUE(says(text, "! host 1 slow: 24 wait")) << text;
  EXPECT_TRUE(says(text, "1.20 ms a step, #8-15")) << text;
}

TEST(CoresPanel, a_pod_says_at_80x24_what_a_cell_is_and_of_which_steps) {
  Snapshot now = pod_with_slow(2048, 77, 0.37);
  now.run.recent_steps = 14;
  const std::string text = drawn("cores", now, 8, 48);
  EXPECT_TRUE(says(text, "! #77 slow: 2,047 wait")) << text;
  EXPECT_TRUE(says(text, "all 2048 cores, last 14 steps")) << text;
  EXPECT_TRUE(says(text, "a cell: the most of 16 cores")) << text;
  EXPECT_TRUE(says(text, "median    37 %, least 0 %")) << text;
}

TEST(CoresPanel, the_scale_of_a_map_does_not_follow_the_figures) {
  for (const auto& [wait, shade] : {std::pair{0.10, "░░░░"}, {0.40, "▒▒▒▒"}, {0.99, "████"}}) {
    EXPECT_TRUE(says(drawn("cores", pod_with_slow(512, 3, wait), 12, 116), shade)) << wait;
  }
}

TEST(CoresPanel, pods_show_the_worst_core_of_each_cell) {
  ViewState view;
  view.metric = MapMetric::busy;
  const std::string text = drawn("cores", example_pod_snapshot(2048), 12, 116, view);
  EXPECT_TRUE(says(text, "least     12 %"));
  EXPECT_TRUE(says(text, "median    44 %, most 47 %"));
  EXPECT_TRUE(says(text, "least #2047"));
  EXPECT_TRUE(says(text, "░"));  // the one slow core darkens its cell
}

TEST(CoresPanel, every_metric_of_a_map_has_its_name_and_its_worst) {
  Snapshot now = example_pod_snapshot(32);
  now.cores[5].hbm_used = now.cores[5].hbm_limit;
  now.cores[5].shares[index_of(Share::cpu_fallback)] = 0.6;
  for (int i = 0; i < map_metrics; ++i) {
    ViewState view;
    view.metric = static_cast<MapMetric>(i);
    const std::string text = drawn("cores", now, 12, 116, view);
    EXPECT_TRUE(says(text, std::string(name_of(view.metric)) + ": ")) << text;
    if (view.metric == MapMetric::memory) {
      EXPECT_TRUE(says(text, "most     100 %")) << text;
    }
    if (view.metric == MapMetric::fallback) {
      EXPECT_TRUE(says(text, "most      60 %")) << text;
    }
  }
}

TEST(StripPanel, a_short_program_stays_visible_beside_the_host) {
  Snapshot now = example_training_snapshot();
  const Picoseconds start = now.strip.start;
  const Picoseconds end = now.strip.step_ends.back();
  const Picoseconds tenth = (end - start) / 10;
  // One lane of 10 cells: 30 % of the fourth cell compute, the rest of the time host tracing.
  now.strip.lanes = {{"c",
                      {{Share::host_tracing, start, start + tenth * 3},
                       {Share::compute, start + tenth * 3, start + tenth * 33 / 10},
                       {Share::host_tracing, start + tenth * 33 / 10, end}}}};
  const std::string text = drawn("strip", now, 2, 15);
  EXPECT_EQ(text.substr(0, text.find('\n')), "c    HHH█HHHHHH");
}

TEST(StripPanel, gaps_are_idle) {
  Snapshot now = example_training_snapshot();
  const Picoseconds start = now.strip.start;
  const Picoseconds end = now.strip.step_ends.back();
  now.strip.lanes = {{"c", {{Share::compute, start, start + (end - start) / 2}}}};
  const std::string text = drawn("strip", now, 2, 15);
  EXPECT_EQ(text.substr(0, text.find('\n')), "c    █████·····");
}

TEST(LossPanel, a_loss_that_is_not_a_number_is_an_alarm) {
  Snapshot now = example_training_snapshot();
  now.run.loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(panel_named("loss").caption(now), "! not a number"));
  EXPECT_EQ(panel_named("loss").caption(example_training_snapshot()),
            "test accuracy 91.4 %, 0.0312");
}

TEST(FallbacksPanel, what_computes_nothing_on_the_cpu_is_a_read_and_no_op) {
  const Picoseconds some{1};
  const FallbackCounts counts =
      counts_of({{"aten::bincount", 3, some, {}, some, some, "", ""},
                 {"aten::_local_scalar_dense", 4, some, {}, {}, {}, "", ""},
                 {"checkpoint", 2, some, {}, {}, {}, "", ""}});
  EXPECT_EQ(counts.ops, 3);
  EXPECT_EQ(counts.reads, 6);
}

TEST(FallbacksPanel, says_below_the_table_what_its_cells_cut) {
  Snapshot now = example_empty_snapshot();
  now.fallbacks = {{"aten::bincount", 3, {}, {}, {}, {}, "torch_xla has no lowering for it", ""}};
  EXPECT_EQ(drawn("fallbacks", now, 4, 38),
            "op                      count     time\n"
            "aten::bincount              3      0 s\n"
            "aten::bincount: torch_xla has no\n"
            "  lowering for it");
  const std::string wide = drawn("fallbacks", now, 9, 120);
  EXPECT_EQ(wide.find("lowering"), wide.rfind("lowering")) << "what is whole is said once";
}

TEST(FallbacksPanel, shows_the_parts_of_the_time_where_there_is_room) {
  const Snapshot now = example_events_snapshot();
  const std::string wide = drawn("fallbacks", now, 4, 90);
  EXPECT_TRUE(says(wide, "down     CPU      up why"));
  EXPECT_TRUE(says(wide, "112 1.30 ms 41.2 ms  900 us data-dependent shape"));
  // 1.3 + 41.2 + 0.9 ms
  const std::string narrow = drawn("fallbacks", now, 4, 40);
  EXPECT_TRUE(says(narrow, "43.4 ms"));
  EXPECT_FALSE(says(narrow, "41.2 ms"));
}

TEST(OutputPanel, ends_with_the_newest_line) {
  const std::vector<OutputLine> lines = numbered_lines(10);
  ViewState view;
  view.output = lines;
  EXPECT_EQ(drawn("output", {}, 3, 20, view), "line 8\nline 9\nline 10");
}

TEST(OutputPanel, scrolling_back_says_what_lies_below) {
  const std::vector<OutputLine> lines = numbered_lines(10);
  ViewState view;
  view.output = lines;
  view.output_scroll = 4;
  EXPECT_EQ(drawn("output", {}, 3, 26, view), "line 5\nline 6\n      4 newer lines below");
  view.output_scroll = 1000;  // further back than there is: the oldest line
  EXPECT_TRUE(says(drawn("output", {}, 3, 26, view), "line 1"));
}

TEST(OutputPanel, kinds_are_told_without_colour) {
  std::vector<OutputLine> lines = numbered_lines(4);
  lines[0].kind = OutputLine::Kind::command;
  lines[1].kind = OutputLine::Kind::warning;
  lines[2].kind = OutputLine::Kind::error;
  lines[3].kind = OutputLine::Kind::good;
  ViewState view;
  view.output = lines;
  EXPECT_EQ(drawn("output", {}, 4, 20, view), "> line 1\n! line 2\n✗ line 3\n✓ line 4");
  view.glyphs = Glyphs::ascii;
  EXPECT_EQ(drawn("output", {}, 4, 20, view), "> line 1\n! line 2\nX line 3\nok line 4");
}

TEST(StripPanel, leaves_it_to_what_explains_a_step_to_say_whose_it_is) {
  Snapshot now;
  now.run.number = 2;
  now.run.step = 15;
  const Opened opened = panel_named("strip").open(now, {});
  EXPECT_TRUE(opened.lines[0].starts_with("Step 15 of run 2: "));
  EXPECT_EQ(opened.lines.size(), 2U);
  EXPECT_EQ(opened.command, "explain step");
}

}  // namespace tpulab::panels_test
