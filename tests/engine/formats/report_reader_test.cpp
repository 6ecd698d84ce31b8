#include "engine/formats/report_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/formats/metrics_report.h"
#include "engine/formats/report_quantity.h"

namespace tpulab::report_reader_test {
namespace {

double rounded(std::string_view text) { return read_quantity(text, TimeParts::rounded)->value; }
double exact(std::string_view text) { return read_quantity(text, TimeParts::exact)->value; }

TEST(ReportQuantity, parts_that_the_original_rounded_up_are_put_right) {
  // What the original prints for 1.632778 ms, 1.032778 ms, 59.7 s, 999.9 ms and 1.767 s.
  EXPECT_NEAR(rounded("002ms632.778us"), 1.632778e-3, 1e-12);
  EXPECT_NEAR(rounded("001ms032.778us"), 1.032778e-3, 1e-12);
  EXPECT_NEAR(rounded("60s700ms000.000us"), 59.7, 1e-9);
  EXPECT_NEAR(rounded("1000ms900.000us"), 0.9999, 1e-9);
  EXPECT_NEAR(rounded("02s767ms000.000us"), 1.767, 1e-9);
  EXPECT_NEAR(rounded("06m09s401ms746.001us"), 369.400746001, 1e-6);
  EXPECT_NEAR(exact("001ms632.778us"), 1.632778e-3, 1e-12);
}

TEST(ReportQuantity, reads_bytes_numbers_and_what_is_empty) {
  EXPECT_EQ(read_quantity("1.50KB", TimeParts::exact)->value, 1536);
  EXPECT_EQ(read_quantity("1.50KB", TimeParts::exact)->unit, MetricUnit::bytes);
  EXPECT_EQ(read_quantity("787.00", TimeParts::exact)->unit, MetricUnit::value);
  EXPECT_TRUE(std::isnan(read_quantity("nanB", TimeParts::exact)->value));
  for (const std::string_view text :
       {"", "12x", "5ms3s", "1.2.3", "ms", "1KBs", "-3ms", "1e999s"}) {
    EXPECT_FALSE(read_quantity(text, TimeParts::rounded)) << text;
  }
}

MetricsReport report_of(std::string_view text) { return read_metrics_report(text, "a.txt"); }

std::string refusal_of(std::string_view text) {
  try {
    report_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(ReportReader, reads_a_real_report) {
  const std::string text =
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/reports/lightning-progress_bar.txt");
  const MetricsReport report = report_of(text);
  EXPECT_EQ(report.counters.count("aten::_local_scalar_dense"), 97);
  EXPECT_EQ(report.counters.samples("CompileTime"), 7);
  EXPECT_EQ(report.counters.samples("ExecuteTime"), 53);
  EXPECT_TRUE(report.corrected);
  EXPECT_EQ(report.other_lines, 0);
  const Series* compile = report.counters.find("CompileTime");
  EXPECT_LE(compile->longest, compile->total);
  EXPECT_LE(compile->median, compile->longest);
}

TEST(ReportReader, reads_the_labels_of_2019_and_unpadded_times) {
  const MetricsReport report = report_of(
      "Metric: CompileTime\n  TotalSamples: 202\n  Counter: 06m09s401ms746.001us\n"
      "  ValueRate: 778ms572.062us / second\n  Rate: 0.425201 / second\n"
      "  Percentiles: 1%=001ms32.778us; 50%=001ms28.773us; 99%=21s102ms853.173us\n"
      "Counter: UncachedSyncTensors\n  Value: 202\nCounter: aten::nonzero\n  Value: 33\n");
  const Series* compile = report.counters.find("CompileTime");
  ASSERT_NE(compile, nullptr);
  EXPECT_NEAR(compile->total, 369.400746, 1e-5);
  EXPECT_NEAR(compile->samples_per_second.value(), 0.425201, 1e-9);
  EXPECT_NEAR(compile->longest, 21.101853, 1e-5);
  EXPECT_EQ(report.counters.count("UncachedCompile"), 202);
  EXPECT_EQ(report.counters.count("aten::nonzero"), 33);
}

TEST(ReportReader, reads_sections_of_xrt_and_a_log_around_the_report) {
  const MetricsReport report = report_of(
      "Epoch 3 begins\r\n> here it is: Metric: XrtCompile\r\n>   TotalSamples: 172\r\n>   Mean: "
      "18s0ms0.000us\r\n"
      ">   StdDev: 02s0ms0.000us\r\n>   Percentiles: 25%=nanB; 50%=18s0ms0.000us\r\n"
      "> Counter: XrtSessionCount\r\n>   Value: 9\r\nEpoch 4 begins\r\n");
  EXPECT_EQ(report.counters.samples("XrtCompile"), 172);
  EXPECT_EQ(report.counters.count("XrtSessionCount"), 9);
  EXPECT_EQ(report.other_lines, 2);
}

TEST(ReportReader, reads_the_first_of_several_workers_whose_lines_mix) {
  const MetricsReport report = report_of(
      "2021-04-19 13:28:12 10.164.0.25 [0] Metric: CompileTime\n"
      "2021-04-19 13:28:12 10.164.0.26 [1] Metric: CompileTime\n"
      "2021-04-19 13:28:12 10.164.0.25 [0]   TotalSamples: 12\n"
      "2021-04-19 13:28:12 10.164.0.26 [1]   TotalSamples: 99\n"
      "2021-04-19 13:28:12 10.164.0.25 [0]   Accumulator: 02s065ms132.407us\n"
      "2021-04-19 13:28:12 10.164.0.25 [0] Counter: MarkStep\n"
      "2021-04-19 13:28:12 10.164.0.26 [1] Counter: MarkStep\n"
      "2021-04-19 13:28:12 10.164.0.25 [0]   Value: 7\n");
  EXPECT_EQ(report.reports, 1);
  EXPECT_EQ(report.counters.samples("CompileTime"), 12);
  EXPECT_NEAR(report.counters.total("CompileTime"), 2.065132, 1e-5);
  EXPECT_EQ(report.counters.count("MarkStep"), 7);
}

std::string with_prefix(std::string_view text, const std::function<std::string(int)>& prefix) {
  std::string all;
  int number = 0;
  for (const std::string& line : split(text, '\n')) all += prefix(number++) + line + "\n";
  return all;
}

TEST(ReportReader, takes_off_what_a_log_puts_before_every_line) {
  const std::string text =
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/reports/lightning-progress_bar.txt");
  const MetricsReport plain = report_of(text);
  const auto expect_same = [&](const std::string& logged) {
    const MetricsReport report = report_of(logged);
    EXPECT_EQ(report.counters.counts, plain.counters.counts) << logged.substr(0, 80);
    ASSERT_EQ(report.counters.series.size(), plain.counters.series.size());
    EXPECT_EQ(report.counters.total("CompileTime"), plain.counters.total("CompileTime"));
  };
  expect_same(with_prefix(text, [](int) { return "[rank0]: "; }));
  expect_same(with_prefix(text, [](int line) {
    return fmt::format("2024-05-01 12:{:02}:00,{:03} INFO train: ", line / 9, line);
  }));
  expect_same("step 7 done\n" + with_prefix(text, [](int) { return "(worker-10, pid=77) "; }));
}

TEST(ReportReader, keeps_the_lines_of_ranks_apart) {
  const MetricsReport report = report_of(
      "[rank0]: Metric: CompileTime\n[rank1]: Metric: CompileTime\n"
      "[rank0]:   TotalSamples: 12\n[rank1]:   TotalSamples: 99\n"
      "[rank0]: Counter: MarkStep\n[rank0]:   Value: 7\n[rank1]: Counter: MarkStep\n");
  EXPECT_EQ(report.counters.samples("CompileTime"), 12);
  EXPECT_EQ(report.counters.count("MarkStep"), 7);
}

TEST(ReportReader, refuses_metrics_of_which_no_value_can_be_read) {
  EXPECT_EQ(refusal_of("a Metric: CompileTime\nb   TotalSamples: 12\nc Counter: MarkStep\n")
                .find("a.txt: none of the metrics and counters in 3 lines has a value; take away"),
            0U);
  const MetricsReport report = report_of(
      "Metric: CompileTime\nMetric: ExecuteTime\n"
      "  TotalSamples: 3\nMetric: InboundData\n");
  ASSERT_EQ(report.counters.series.size(), 1U) << "without those that have none";
  EXPECT_EQ(report.counters.series[0].name, "ExecuteTime");
}

TEST(ReportReader, takes_the_last_report_of_a_metrics_file) {
  const MetricsReport report = report_of(
      "[MetricsData; step=1]\nCounter: MarkStep\n  Value: 1\n"
      "[MetricsData; step=2]\nCounter: MarkStep\n  Value: 2\nCounter: UncachedCompile\n  Value: "
      "1\n");
  EXPECT_EQ(report.reports, 2);
  EXPECT_EQ(report.step, "2");
  EXPECT_EQ(report.counters.count("MarkStep"), 2);
}

TEST(ReportReader, a_name_that_comes_again_begins_another_report) {
  const MetricsReport report =
      report_of("Counter: MarkStep\n  Value: 1\nCounter: MarkStep\n  Value: 5\n");
  EXPECT_EQ(report.reports, 2);
  EXPECT_EQ(report.counters.counts.size(), 1U);
  EXPECT_EQ(report.counters.count("MarkStep"), 5);
}

TEST(ReportReader, reads_our_own_reports_back) {
  Metrics metrics;
  for (int i = 1; i <= 40; ++i) {
    metrics.time("CompileTime", picoseconds_from_seconds(0.0016327 * i),
                 picoseconds_from_seconds(i));
    metrics.bytes("OutboundData", Bytes{1000 * i}, picoseconds_from_seconds(i));
  }
  metrics.count("MarkStep", 40);
  const Counters ours = counters_of(metrics.copy());
  const MetricsReport report = report_of(metrics_report(metrics.copy()));
  EXPECT_FALSE(report.corrected);
  for (const Series& series : ours.series) {
    const Series* read = report.counters.find(series.name);
    ASSERT_NE(read, nullptr) << series.name;
    EXPECT_EQ(read->samples, series.samples);
    EXPECT_NEAR(read->total / series.total, 1, 0.001) << series.name;
    EXPECT_NEAR(read->median / series.median, 1, 0.001) << series.name;
    EXPECT_NEAR(read->total_per_second.value() / series.total_per_second.value(), 1, 0.001);
  }
  EXPECT_EQ(report.counters.counts, ours.counts);
}

TEST(ReportReader, says_file_line_and_what_was_expected) {
  EXPECT_EQ(refusal_of("Metric: CompileTime\n  TotalSamples: many\n  Rate: 1 / second\n"),
            "a.txt:2: 'many' is not what a metrics report has there; expected a whole number "
            "from 0 to 10^15");
  EXPECT_NE(refusal_of("Metric: A\n  TotalSamples: 2\n  Accumulator: 5 apples\nCounter: B\n"),
            "read");
  EXPECT_NE(refusal_of("no report\nat all\n").find("a.txt: no metrics report in 2 lines"),
            std::string::npos);
  EXPECT_NE(refusal_of("").find("no metrics report"), std::string::npos);
  EXPECT_NE(
      refusal_of("Counter: A\n  Value: 99999999999999999999999\nCounter: B\n").find("a.txt:2"),
      std::string::npos);
}

TEST(ReportReader, refuses_figures_that_no_report_can_have) {
  const auto refused = [](const std::string& name, const std::string& line) {
    const std::string text =
        "Metric: " + name + "\n  " + line + "\nCounter: MarkStep\n  Value: 1\n";
    return refusal_of(text).starts_with("a.txt:2: '");
  };
  for (const std::string line :
       {"TotalSamples: 9223372036854775807", "TotalSamples: 1000000000000001", "TotalSamples: -1",
        "Accumulator: 1e308d", "Accumulator: 101d", "Accumulator: 1e300d", "Accumulator: 1e17B",
        "Accumulator: 787.00", "Percentiles: 50%=1e300d", "Percentiles: 50%=3.00KB",
        "ValueRate: 1e300d / second", "Rate: -1 / second", "Rate: 1e-300 / second",
        "Rate: 1e19 / second"}) {
    EXPECT_TRUE(refused("ExecuteTime", line)) << line;
  }
  EXPECT_TRUE(refused("InboundData", "Accumulator: 1e300"));
  EXPECT_TRUE(refused("InboundData", "Accumulator: 1000PB"));
  EXPECT_TRUE(refused("InboundData", "Accumulator: -1.00KB"));
  EXPECT_EQ(refusal_of("Counter: A\n  Value: -1\nCounter: B\n  Value: 1\n").find("a.txt:2: '-1'"),
            0U);
  EXPECT_FALSE(refused("ExecuteTime", "TotalSamples: 1000000000000000"));
  EXPECT_FALSE(refused("ExecuteTime", "Accumulator: 99d23h59m59s000ms000.000us"));
  EXPECT_FALSE(refused("InboundData", "Accumulator: 800PB"));
}

TEST(ReportReader, refuses_more_names_than_any_report_has) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "Counter: C" + std::to_string(i) + "\n  Value: 1\n";
  EXPECT_EQ(refusal_of(text).find("a.txt:8195: more than 4,096 names"), 0U);
}

TEST(ReportReader, a_text_that_ends_within_a_value_keeps_what_came_before) {
  const MetricsReport report = report_of(
      "Counter: MarkStep\n  Value: 7\nMetric: CompileTime\n  TotalSamples: 3\n  Accumulator: "
      "01s4m");
  EXPECT_TRUE(report.cut_off);
  EXPECT_EQ(report.counters.count("MarkStep"), 7);
  EXPECT_EQ(report.counters.samples("CompileTime"), 3);
}

}  // namespace
}  // namespace tpulab::report_reader_test
