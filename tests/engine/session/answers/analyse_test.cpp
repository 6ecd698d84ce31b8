#include "engine/session/analyse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/file.h"
#include "engine/formats/metrics_report.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab {
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

}  // namespace
}  // namespace tpulab
