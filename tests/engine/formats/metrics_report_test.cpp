#include "engine/formats/metrics_report.h"

#include <gtest/gtest.h>

namespace tpulab::metrics_report_test {
namespace {

std::string time_text(double nanoseconds) { return metric_text(MetricUnit::time, nanoseconds); }

Picoseconds seconds(double count) { return picoseconds_from_seconds(count); }

MetricData metric_of(std::string name, MetricUnit unit, const std::vector<double>& values) {
  MetricData metric;
  metric.name = std::move(name);
  metric.unit = unit;
  for (std::size_t i = 0; i < values.size(); ++i) {
    metric.window.push_back({seconds(static_cast<double>(i)), values[i]});
    metric.accumulator += values[i];
    ++metric.total_samples;
  }
  return metric;
}

TEST(MetricText, times_begin_with_their_first_part_that_is_not_zero) {
  EXPECT_EQ(time_text(12), "000.012us");
  EXPECT_EQ(time_text(1'032'778), "001ms032.778us");
  EXPECT_EQ(time_text(226'137'620), "226ms137.620us");
  EXPECT_EQ(time_text(1'405'211'447), "01s405ms211.447us");
  // 1 d 2 h 3 m 4.005006007 s
  EXPECT_EQ(time_text(((24 + 2) * 3600 + 3 * 60 + 4) * 1e9 + 5'006'007),
            "01d02h03m04s005ms006.007us");
}

TEST(MetricText, lower_parts_are_printed_even_where_they_are_zero) {
  EXPECT_EQ(time_text(2e9), "02s000ms000.000us");
  EXPECT_EQ(time_text(0), "000.000us");
}

TEST(MetricText, no_part_is_rounded_up_by_the_part_below_it) {
  EXPECT_EQ(time_text(1'632'778), "001ms632.778us");  // the original: 002ms632.778us
  EXPECT_EQ(time_text(59.7e9), "59s700ms000.000us");  // the original: 60s700ms000.000us
  EXPECT_EQ(time_text(999.9e6), "999ms900.000us");    // the original: 1000ms900.000us
}

TEST(MetricText, half_a_nanosecond_carries_through_all_parts) {
  EXPECT_EQ(time_text(999.5), "001.000us");
  EXPECT_EQ(time_text(59'999'999'999.7), "01m00s000ms000.000us");
}

TEST(MetricText, bytes_step_by_1024_with_two_decimals) {
  EXPECT_EQ(metric_text(MetricUnit::bytes, 1023), "1023.00B");
  EXPECT_EQ(metric_text(MetricUnit::bytes, 1024), "1.00KB");
  EXPECT_EQ(metric_text(MetricUnit::bytes, 468.0 * 1024 * 1024), "468.00MB");
  EXPECT_EQ(metric_text(MetricUnit::bytes, 1.5 * 1024 * 1024 * 1024), "1.50GB");
}

TEST(MetricText, plain_values_have_two_decimals) {
  EXPECT_EQ(metric_text(MetricUnit::value, 787), "787.00");
}

TEST(MetricsReport, prints_metrics_then_counters_as_pytorch_xla_does) {
  MetricsData data;
  // Three samples, 1 s apart: 3 s + 1 s + 2 s over a span of 2 s.
  data.metrics.push_back(metric_of("CompileTime", MetricUnit::time, {3e9, 1e9, 2e9}));
  data.metrics.push_back(metric_of("InboundData", MetricUnit::bytes, {4}));
  data.counters = {{"CachedCompile", 395}, {"MarkStep", 0}, {"aten::nonzero", 7}};
  EXPECT_EQ(metrics_report(data),
            "Metric: CompileTime\n"
            "  TotalSamples: 3\n"
            "  Accumulator: 06s000ms000.000us\n"
            "  ValueRate: 03s000ms000.000us / second\n"
            "  Rate: 1.5 / second\n"
            "  Percentiles: 1%=01s000ms000.000us; 5%=01s000ms000.000us; 10%=01s000ms000.000us; "
            "20%=01s000ms000.000us; 50%=02s000ms000.000us; 80%=03s000ms000.000us; "
            "90%=03s000ms000.000us; 95%=03s000ms000.000us; 99%=03s000ms000.000us\n"
            "Metric: InboundData\n"
            "  TotalSamples: 1\n"
            "  Accumulator: 4.00B\n"
            "  Percentiles: 1%=4.00B; 5%=4.00B; 10%=4.00B; 20%=4.00B; 50%=4.00B; 80%=4.00B; "
            "90%=4.00B; 95%=4.00B; 99%=4.00B\n"
            "Counter: CachedCompile\n"
            "  Value: 395\n"
            "Counter: aten::nonzero\n"
            "  Value: 7\n" +
                std::string(exact_times) + "\n");
}

TEST(MetricsReport, the_middle_of_two_samples_is_the_larger) {
  MetricsData data;
  data.metrics.push_back(metric_of("TensorsGraphSize", MetricUnit::value, {5, 9}));
  EXPECT_NE(metrics_report(data).find("20%=5.00; 50%=9.00;"), std::string::npos);
}

TEST(MetricsReport, percentiles_take_the_index_below_without_interpolation) {
  // 0 ... 99: index floor(p * 100) is the percentage itself.
  std::vector<double> values;
  for (int i = 99; i >= 0; --i) values.push_back(i);
  MetricsData data;
  data.metrics.push_back(metric_of("TensorsGraphSize", MetricUnit::value, values));
  EXPECT_NE(metrics_report(data).find("Percentiles: 1%=1.00; 5%=5.00; 10%=10.00; 20%=20.00; "
                                      "50%=50.00; 80%=80.00; 90%=90.00; 95%=95.00; 99%=99.00\n"),
            std::string::npos);
}

TEST(MetricsReport, rates_have_six_significant_digits) {
  MetricsData data;
  MetricData metric;
  metric.name = "CompileTime";
  metric.total_samples = 9;
  metric.accumulator = 9;
  for (int i = 0; i < 9; ++i) metric.window.push_back({seconds(i * 32.184463 / 8), 1});
  data.metrics.push_back(metric);
  // 9 / 32.184463 = 0.279638 (to six digits)
  EXPECT_NE(metrics_report(data).find("  Rate: 0.279638 / second\n"), std::string::npos);
}

TEST(MetricsReport, totals_are_of_all_samples_and_rates_of_the_window) {
  MetricData metric = metric_of("OutboundData", MetricUnit::bytes, {1024, 1024});
  metric.total_samples = 5000;
  metric.accumulator = 5000.0 * 1024;
  MetricsData data;
  data.metrics.push_back(metric);
  const std::string text = metrics_report(data);
  EXPECT_NE(text.find("  TotalSamples: 5000\n  Accumulator: 4.88MB\n"), std::string::npos);
  EXPECT_NE(text.find("  ValueRate: 2.00KB / second\n  Rate: 2 / second\n"), std::string::npos);
}

TEST(MetricsReport, nothing_measured_is_an_empty_report) { EXPECT_EQ(metrics_report({}), ""); }

}  // namespace
}  // namespace tpulab::metrics_report_test
