#include "engine/runtime/metrics.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace tpulab::metrics_test {
namespace {

TEST(Metrics, times_are_kept_in_nanoseconds) {
  Metrics metrics;
  metrics.time("CompileTime", Picoseconds(12'000), Picoseconds(1));
  metrics.time("CompileTime", Picoseconds(500), Picoseconds(2));
  const MetricsData data = metrics.copy();
  ASSERT_EQ(data.metrics.size(), 1U);
  EXPECT_EQ(data.metrics[0].unit, MetricUnit::time);
  EXPECT_DOUBLE_EQ(data.metrics[0].window[0].value, 12);
  EXPECT_DOUBLE_EQ(data.metrics[0].window[1].value, 0.5);
  EXPECT_DOUBLE_EQ(data.metrics[0].accumulator, 12.5);
}

TEST(Metrics, the_window_keeps_the_newest_1024_in_order_and_the_totals_keep_all) {
  Metrics metrics;
  for (int i = 0; i < 1030; ++i) metrics.value("TensorsGraphSize", i, Picoseconds(i));
  const MetricData metric = metrics.copy().metrics.at(0);
  EXPECT_EQ(metric.total_samples, 1030);
  EXPECT_DOUBLE_EQ(metric.accumulator, 1029.0 * 1030 / 2);
  ASSERT_EQ(metric.window.size(), Metrics::window_samples);
  EXPECT_EQ(metric.window.front().stamp, Picoseconds(6));  // 1030 - 1024
  EXPECT_EQ(metric.window.back().stamp, Picoseconds(1029));
  for (std::size_t i = 1; i < metric.window.size(); ++i) {
    ASSERT_LT(metric.window[i - 1].stamp, metric.window[i].stamp);
  }
}

TEST(Metrics, many_of_one_length_are_kept_as_each_would_be_alone) {
  Metrics together;
  Metrics alone;
  Picoseconds now{};
  for (const auto& [each, times] : {std::pair{5, 1000}, {7, 100}, {11, 0}, {3, 1500}, {2, 1}}) {
    together.time_each("LazyTracing", Picoseconds{each}, now, times);
    for (int i = 0; i < times; ++i) {
      now += Picoseconds{each};
      alone.time("LazyTracing", Picoseconds{each}, now);
    }
    const MetricData some = together.copy().metrics[0];
    const MetricData all = alone.copy().metrics[0];
    EXPECT_EQ(some.total_samples, all.total_samples);
    EXPECT_NEAR(some.accumulator, all.accumulator, 1e-9);
    ASSERT_EQ(some.window.size(), all.window.size());
    for (std::size_t i = 0; i < some.window.size(); ++i) {
      EXPECT_EQ(some.window[i].stamp, all.window[i].stamp);
      EXPECT_EQ(some.window[i].value, all.window[i].value);
    }
  }
}

TEST(Metrics, names_come_bytewise_with_upper_case_first) {
  Metrics metrics;
  metrics.count("xla::add");
  metrics.count("aten::nonzero");
  metrics.count("UncachedCompile");
  metrics.count("CachedCompile", 3);
  const auto counters = metrics.copy().counters;
  ASSERT_EQ(counters.size(), 4U);
  EXPECT_EQ(counters[0], (std::pair<std::string, std::int64_t>("CachedCompile", 3)));
  EXPECT_EQ(counters[1].first, "UncachedCompile");
  EXPECT_EQ(counters[2].first, "aten::nonzero");
  EXPECT_EQ(counters[3].first, "xla::add");
}

TEST(Metrics, an_unknown_counter_reads_zero) {
  Metrics metrics;
  EXPECT_EQ(metrics.counter("MarkStep"), 0);
  metrics.count("MarkStep", 2);
  metrics.count("MarkStep");
  metrics.bytes("InboundData", Bytes{4}, Picoseconds(1));
  EXPECT_EQ(metrics.counter("MarkStep"), 3);
}

TEST(Metrics, a_metric_never_changes_its_unit) {
  Metrics metrics;
  metrics.bytes("InboundData", Bytes{4}, Picoseconds(1));
  EXPECT_THROW(metrics.value("InboundData", 4, Picoseconds(2)), std::logic_error);
}

TEST(Metrics, counts_of_two_threads_are_all_there_while_a_third_copies) {
  Metrics metrics;
  const auto count_many = [&metrics] {
    for (int i = 0; i < 10'000; ++i) metrics.count("MarkStep");
  };
  std::jthread first(count_many);
  std::jthread second(count_many);
  std::int64_t before = 0;
  for (int i = 0; i < 100; ++i) {
    const std::int64_t now = metrics.counter("MarkStep");
    EXPECT_LE(before, now);
    before = now;
  }
  first.join();
  second.join();
  EXPECT_EQ(metrics.counter("MarkStep"), 20'000);
}

}  // namespace
}  // namespace tpulab::metrics_test
