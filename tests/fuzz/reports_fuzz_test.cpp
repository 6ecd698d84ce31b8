// Metrics reports from elsewhere, as they may come: cut, mixed with a log, or made to do harm.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/session/answers/analyse.h"
#include "tests/fuzz/mutation.h"

namespace tpulab::fuzz::reports_fuzz_test {
namespace {

Corpus reports() {
  const std::string folder = TPULAB_SOURCE_DIR "/tests/engine/formats/reports/";
  return {.seeds = {read_file(folder + "loop-nonzero.txt"), read_file(folder + "lightning-sgd.txt"),
                    "Metric: A\n  TotalSamples: 3\n  Counter: 01s2ms3.4us\n",
                    "[MetricsData; step=7]\nCounter: MarkStep\n  Value: 7\n",
                    "Execution Analysis: Execution Cause\nExecution Analysis:   user mark_step\n"
                    "pt-xla-profiler: CompileTime too frequent: 21 counts during 11 steps\n"
                    "pt-xla-profiler: Op(s) not lowered: aten::a, aten::b,  Please open\n"},
          .words = {"Metric: ", "Counter: ", "  Value: ", "  Percentiles: ", "  Accumulator: ",
                    "[MetricsData; step=", "nanB", "%=", "ms", "us", "KB", "\r\n", "> ",
                    "aten::", "-1", "1e300d", "9223372036854775807", "CompileTime", "MarkStep"}};
}

void fuzz(Effort effort) {
  expect_holds(reports(), effort, [](const std::string& text, Random&) {
    try {
      const ReportAnalysis analysis = analysis_of(text, "report.txt");
      for (const Diagnosed& one : analysis.found) {
        EXPECT_GE(one.finding.weight, 0) << one.cause->name;
        EXPECT_LE(one.finding.weight, 3) << one.cause->name;
        EXPECT_FALSE(one.finding.certain.empty()) << one.cause->name;
      }
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 10), "report.txt");
    }
  });
}

TEST(ReportsFuzz, a_damaged_report_is_analysed_or_refused_by_its_name) { fuzz({.inputs = 2000}); }
TEST(SlowReportsFuzz, a_damaged_report_is_analysed_or_refused_by_its_name) { fuzz({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::reports_fuzz_test
