#include "engine/session/answers/analyse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/file.h"
#include "engine/formats/metrics_report.h"
#include "engine/session/answers/xla_debug.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::analyse_test {
namespace {

ReportAnalysis of_file(const std::string& name) {
  return analysis_of(read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/reports/" + name + ".txt"),
                     name);
}

std::string first(const ReportAnalysis& analysis) {
  return analysis.found.empty() ? "" : std::string(analysis.found.front().cause->name);
}

bool says(const std::vector<Diagnosed>& list, std::string_view name) {
  return std::ranges::any_of(list, [&](const Diagnosed& one) { return one.cause->name == name; });
}

TEST(Analyse, names_first_what_a_real_run_was_made_to_do) {
  EXPECT_EQ(first(of_file("loop-item")), "item");
  EXPECT_EQ(first(of_file("loop-bincount")), "fallback");
  EXPECT_EQ(first(of_file("loop-nonzero")), "dynamic_shape");
  EXPECT_EQ(first(of_file("lightning-progress_bar")), "progress_bar");
}

TEST(Analyse, finds_no_habit_in_a_run_that_has_none) {
  const ReportAnalysis analysis = of_file("lightning-sgd");
  // Seven programs for 45 steps: a start, and nothing else.
  EXPECT_EQ(first(analysis), "warm_up");
  EXPECT_EQ(analysis.found.size(), 1U);
}

TEST(Analyse, says_what_no_counter_tells) {
  const ReportAnalysis analysis = of_file("loop-item");
  EXPECT_TRUE(says(analysis.cannot_tell, "straggler"));
  EXPECT_TRUE(says(analysis.cannot_tell, "slow_host"));
  EXPECT_FALSE(says(analysis.cannot_tell, "item"));
}

// As releases before 2.2 print it: without LazyTracing and with the names of servers.
std::string old_report(std::string_view counters, std::string_view execute_rate) {
  return "Metric: CompileTime\n  TotalSamples: 4\n  Accumulator: 30s000ms000.000us\n"
         "Metric: ExecuteTime\n  TotalSamples: 2000\n  Accumulator: 10m00s000ms000.000us\n"
         "  ValueRate: " +
         std::string(execute_rate) +
         " / second\n  Rate: 2.0 / second\n  Percentiles: 50%=300ms000.000us\n"
         "Metric: TransferFromServerTime\n  TotalSamples: 40\n  Accumulator: 01s000ms000.000us\n"
         "Counter: MarkStep\n  Value: 2000\nCounter: UncachedCompile\n  Value: 4\n" +
         std::string(counters);
}

TEST(Analyse, tells_a_busy_device_from_one_that_waits_for_its_host) {
  const ReportAnalysis busy = analysis_of(old_report("", "950ms000.000us"), "busy");
  EXPECT_EQ(first(busy), "busy_device");
  EXPECT_TRUE(says(busy.cannot_tell, "small_batch"));
  const ReportAnalysis waiting = analysis_of(old_report("", "100ms000.000us"), "waiting");
  EXPECT_EQ(first(waiting), "small_batch");
  EXPECT_NE(waiting.found.front().finding.inferred.find("no counter before 2.2 tells"),
            std::string::npos);
}

// ResNet-50, 200 steps of 74.8 ms in 26.4 s, as this program's own metrics print them.
TEST(Analyse, takes_no_wait_in_the_queue_of_the_device_for_its_run) {
  const std::string text =
      "Metric: CompileTime\n  TotalSamples: 3\n  Accumulator: 11s415ms500.000us\n"
      "Metric: LazyTracing\n  TotalSamples: 60000\n  Accumulator: 04s000ms000.000us\n"
      "Metric: ExecuteTime\n  TotalSamples: 202\n  Accumulator: 56s659ms150.365us\n"
      "  ValueRate: 02s245ms029.477us / second\n  Rate: 8.00393 / second\n"
      "  Percentiles: 50%=297ms262.285us\nCounter: MarkStep\n  Value: 402\n";
  const ReportAnalysis analysis = analysis_of(text, "queued");
  EXPECT_NEAR(analysis.facts.execute_seconds, 202 / 8.00393, 1e-9);
  ASSERT_EQ(first(analysis), "busy_device");
  EXPECT_EQ(analysis.found.front().finding.certain.front(),
            "ExecuteTime: 2.25 s a second with the waits in the queue, 297 ms each in the middle; "
            "one program ends every 125 ms");
}

TEST(Analyse, counts_no_compile_twice_where_programs_wait_in_the_queue) {
  const std::string text =
      "Metric: CompileTime\n  TotalSamples: 3\n  Accumulator: 11s000ms000.000us\n"
      "Metric: LazyTracing\n  TotalSamples: 60000\n  Accumulator: 04s000ms000.000us\n"
      "Metric: ExecuteTime\n  TotalSamples: 202\n  Accumulator: 56s000ms000.000us\n"
      "  ValueRate: 02s245ms029.477us / second\n  Rate: 8.00393 / second\n"
      "  Percentiles: 50%=297ms262.285us\nCounter: MarkStep\n  Value: 402\n";
  const ReportFacts facts = analysis_of(text, "queued").facts;
  EXPECT_NEAR(facts.share(facts.compile_seconds), 11 / (202 / 8.00393), 1e-9);
}

// As of ResNet-50 with one worker: 300 programs of 80 ms in 120 s.
std::string waiting_report(std::string_view tracing) {
  return "Metric: CompileTime\n  TotalSamples: 3\n  Accumulator: 11s000ms000.000us\n"
         "Metric: LazyTracing\n  TotalSamples: 60000\n  Accumulator: " +
         std::string(tracing) +
         "\nMetric: ExecuteTime\n  TotalSamples: 300\n  Accumulator: 24s000ms000.000us\n"
         "  ValueRate: 200ms000.000us / second\n  Rate: 2.5 / second\n"
         "  Percentiles: 50%=080ms000.000us\nCounter: MarkStep\n  Value: 600\n";
}

TEST(Analyse, names_the_loader_where_nothing_that_is_counted_explains_an_idle_device) {
  const ReportAnalysis idle = analysis_of(waiting_report("05s000ms000.000us"), "idle");
  ASSERT_EQ(first(idle), "slow_loader");
  EXPECT_EQ(idle.found.front().finding.certain.front(),
            "about 120.0 s: programs run 24.0 s of them, tracing takes 5.0 s, compiles 11.0 s, "
            "transfers 0.0 s; nothing explains 67 % of the time");
  const ReportAnalysis traced = analysis_of(waiting_report("01m20s000ms000.000us"), "traced");
  EXPECT_EQ(first(traced), "small_batch");
  EXPECT_FALSE(says(traced.found, "slow_loader"));
}

// The case of a run of ours: its report alone tells what its summary does.
TEST(Analyse, names_the_loader_of_a_run_of_ours_that_waits_for_it) {
  for (const int workers : {1, 12}) {
    Engine engine;
    Settings settings;
    change(settings, "model", "resnet50");
    change(settings, "batch", "64");
    settings.numbers = false;
    settings.loader_workers = workers;
    settings.loader_row_us = 6000;
    settings.max_steps = 100;
    test::run_to_end(engine, settings);
    const ReportAnalysis analysis = analysis_of(engine.metrics_report(), "ours");
    EXPECT_EQ(says(analysis.found, "slow_loader"), workers == 1) << workers;
  }
}

TEST(Analyse, names_unlowered_operations_by_their_calls_and_leaves_single_ones_out) {
  const ReportAnalysis analysis = analysis_of(
      old_report("Counter: aten::im2col\n  Value: 4000\nCounter: aten::randperm\n  Value: 1\n",
                 "300ms000.000us"),
      "old");
  EXPECT_EQ(first(analysis), "fallback");
  const Finding& finding = analysis.found.front().finding;
  ASSERT_EQ(finding.certain.size(), 1U);
  EXPECT_NE(finding.certain[0].find("aten::im2col 4,000 in 2,000 syncs"), std::string::npos);
}

TEST(Analyse, tells_recompiles_from_a_start) {
  const std::string text =
      "Metric: CompileTime\n  TotalSamples: 172\n  Accumulator: 54m00s000ms000.000us\n"
      "Metric: ExecuteTime\n  TotalSamples: 172\n  Accumulator: 34s000ms000.000us\n"
      "Counter: MarkStep\n  Value: 172\n";
  EXPECT_EQ(first(analysis_of(text, "a")), "recompiles");
}

TEST(Analyse, comes_to_the_same_as_advice_on_a_run_of_ours) {
  Engine engine;
  Settings settings;
  settings.hidden = {8};
  settings.max_epochs = 40;
  settings.progress_bar = true;
  test::run_to_end(engine, settings);
  const ReportAnalysis analysis = analysis_of(engine.metrics_report(), "ours");
  EXPECT_TRUE(says(analysis.found, "progress_bar"));
  EXPECT_FALSE(says(analysis.found, "fallback"));
  EXPECT_FALSE(analysis.report.corrected);
}

std::vector<std::string> names_of(const std::vector<Diagnosed>& list) {
  std::vector<std::string> names;
  for (const Diagnosed& one : list) names.emplace_back(one.cause->name);
  return names;
}

Settings one_core_with(std::string_view name) {
  Settings settings;
  settings.hidden = {16};
  settings.devices = "1";
  settings.max_epochs = 4;
  change(settings, name, name.ends_with("n_steps") ? "1" : "on");
  return settings;
}

// What the run prints with PT_XLA_DEBUG=1.
std::string debug_text(const Engine& engine) {
  std::string text;
  for (const std::string& line : xla_debug_of(engine.newest_evidence().value(), 1'000'000)) {
    text += line + "\n";
  }
  return text;
}

// There each batch has two syncs, or three behind the last of several: one of them runs nothing.
TEST(Analyse, tells_a_read_inside_each_step_from_those_behind_it_on_eight_cores) {
  const std::vector<std::pair<const char*, std::string>> habits{{"item_every_n_steps", "item"},
                                                                {"log_every_n_steps", "logging"},
                                                                {"progress_bar", "progress_bar"}};
  for (const auto& [habit, caused] : habits) {
    for (const std::int64_t batches_a_step : {1, 2}) {
      // Between the batches of a step the bar's read runs a program, too.
      if (batches_a_step > 1 && caused == "progress_bar") continue;
      Settings settings = one_core_with(habit);
      settings.devices = "8";
      settings.max_epochs = 10;
      settings.accumulate_grad_batches = batches_a_step;
      Engine engine;
      test::run_to_end(engine, settings);
      for (const char* release : {"2.9", "1.13"}) {
        const ReportAnalysis analysis = analysis_of(engine.metrics_report(release), "eight cores");
        for (const char* cause : {"item", "logging", "progress_bar"}) {
          EXPECT_EQ(says(analysis.found, cause), cause == caused)
              << habit << " " << batches_a_step << " " << release << ": " << cause;
        }
      }
    }
  }
}

TEST(Analyse, tells_two_habits_of_reading_beside_each_other) {
  Settings settings = one_core_with("item_every_n_steps");
  settings.progress_bar = true;
  Engine engine;
  test::run_to_end(engine, settings);
  const ReportAnalysis analysis = analysis_of(engine.metrics_report(), "both");
  EXPECT_TRUE(says(analysis.found, "item"));
  EXPECT_TRUE(says(analysis.found, "progress_bar"));
}

class AnalyseOfOneRun : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { test::run_to_end(engine_, one_core_with(GetParam())); }
  Engine engine_;
};

TEST_P(AnalyseOfOneRun, comes_to_the_same_from_the_report_of_2_9) {
  const auto ours = names_of(analysis_of(engine_.metrics_report(), "ours").found);
  EXPECT_FALSE(ours.empty());
  const ReportAnalysis there = analysis_of(engine_.metrics_report("2.9"), "2.9");
  EXPECT_EQ(names_of(there.found), ours);
  EXPECT_TRUE(there.report.corrected);
}

// 1.13 has no LazyTracing: that the host binds cannot be told.
TEST_P(AnalyseOfOneRun, comes_to_the_same_from_1_13_but_for_the_time_of_tracing) {
  auto ours = names_of(analysis_of(engine_.metrics_report(), "ours").found);
  const ReportAnalysis old = analysis_of(engine_.metrics_report("1.13"), "1.13");
  if (std::erase(ours, "small_batch") > 0) {
    EXPECT_TRUE(says(old.cannot_tell, "small_batch"));
  }
  EXPECT_EQ(names_of(old.found), ours);
}

// Without times, the shares of compiles and of tracing cannot be told.
TEST_P(AnalyseOfOneRun, comes_to_the_same_from_pt_xla_debug_but_for_times) {
  auto ours = names_of(analysis_of(engine_.metrics_report(), "ours").found);
  const ReportAnalysis debug = analysis_of(debug_text(engine_), "log");
  EXPECT_TRUE(debug.debug);
  for (const char* timed : {"small_batch", "warm_up"}) {
    if (std::erase(ours, timed) > 0) {
      EXPECT_TRUE(says(debug.cannot_tell, timed)) << timed;
    }
  }
  EXPECT_EQ(names_of(debug.found), ours);
  EXPECT_EQ(ours.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Habits, AnalyseOfOneRun,
                         testing::Values("item_every_n_steps", "progress_bar", "class_weights",
                                         "hard_examples", "log_every_n_steps"));

}  // namespace
}  // namespace tpulab::analyse_test
