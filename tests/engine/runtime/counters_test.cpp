#include "engine/runtime/counters.h"

#include <gtest/gtest.h>

namespace tpulab::counters_test {
namespace {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

TEST(Counters, a_series_has_its_total_in_seconds_and_rates_over_its_span) {
  Metrics metrics;
  for (const auto stamp : {1s, 2s, 3s}) metrics.time("ExecuteTime", 250ms, stamp);
  metrics.count("MarkStep", 3);
  const Counters counters = counters_of(metrics.copy());
  const Series* series = counters.find("ExecuteTime");
  ASSERT_NE(series, nullptr);
  EXPECT_EQ(series->samples, 3);
  EXPECT_DOUBLE_EQ(series->total, 0.75);
  EXPECT_DOUBLE_EQ(series->median, 0.25);
  // Three samples between the first and the last stamp, 2 s apart.
  EXPECT_DOUBLE_EQ(series->samples_per_second.value(), 1.5);
  EXPECT_DOUBLE_EQ(series->total_per_second.value(), 0.375);
  EXPECT_EQ(counters.count("MarkStep"), 3);
}

TEST(Counters, a_single_sample_has_no_rate) {
  Metrics metrics;
  metrics.bytes("InboundData", Bytes{12}, 1s);
  const Counters counters = counters_of(metrics.copy());
  EXPECT_FALSE(counters.find("InboundData")->samples_per_second);
  EXPECT_DOUBLE_EQ(counters.total("InboundData"), 12);
}

TEST(Counters, todays_name_finds_what_older_releases_called_otherwise) {
  Counters counters;
  counters.series.push_back({.name = "TransferFromServerTime", .samples = 7});
  counters.counts.emplace_back("UncachedSyncTensors", 9);
  EXPECT_EQ(counters.samples("TransferFromDeviceTime"), 7);
  EXPECT_EQ(counters.count("UncachedCompile"), 9);
  EXPECT_TRUE(counters.has("UncachedCompile"));
  EXPECT_FALSE(counters.has("CachedCompile"));
  EXPECT_EQ(counters.find("TransferToDeviceTime"), nullptr);
}

}  // namespace
}  // namespace tpulab::counters_test
