#include "engine/formats/report_release.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/formats/metrics_report.h"
#include "engine/formats/report_reader.h"
#include "engine/session/engine.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::report_release_test {
namespace {

// "Metric: CompileTime", in the order in which they are printed.
std::vector<std::string> heads(const std::string& report) {
  std::vector<std::string> found;
  for (const std::string& line : split(report, '\n')) {
    if (line.starts_with("Metric: ") || line.starts_with("Counter: ")) found.push_back(line);
  }
  return found;
}

// A plain loop with Adam and an item() in each step, printed by torch_xla 2.9.
std::vector<std::string> real_heads() {
  return heads(read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/reports/loop-item.txt"));
}

MetricsData data_of_a_run() {
  Metrics metrics;
  for (const char* name : {"TransferFromDeviceTime", "CompileTime", "LazyTracing"}) {
    metrics.time(name, std::chrono::nanoseconds(1'632'778), std::chrono::seconds(1));
  }
  for (const char* name : {"xla::lerp", "xla::mul", "xla::add", "aten::bincount", "MarkStep",
                           "ExecuteComputation", "DestroyXlaTensor", "DestroyDataHandles"}) {
    metrics.count(name, 6);
  }
  metrics.count("aten::_local_scalar_dense", 3);
  return metrics.copy();
}

std::map<std::string, std::int64_t> counts_of(std::string_view version) {
  std::map<std::string, std::int64_t> counts;
  for (const MetricsData& group : data_of_release(data_of_a_run(), version)) {
    counts.insert(group.counters.begin(), group.counters.end());
  }
  return counts;
}

TEST(ReportRelease, prints_the_names_of_a_real_2_9_in_its_order) {
  Engine engine;
  Settings settings = test::small_run();
  settings.devices = "1";
  settings.item_every_n_steps = 1;
  settings.numbers = false;
  test::run_to_end(engine, settings);
  const std::vector<std::string> real = real_heads();
  std::vector<std::string> ours = heads(engine.metrics_report("2.9"));
  // Lightning's, which the plain loop of that report has not: it asks how long loaders are, and
  // validates.
  const std::vector<std::string> own{"Counter: xla::gt", "Counter: xla::argmax",
                                     "Counter: xla::eq"};
  std::erase_if(ours, [&](const std::string& head) { return std::ranges::count(own, head) > 0; });
  EXPECT_GT(ours.size(), 35U);
  auto place = real.begin();
  for (const std::string& head : ours) {
    place = std::find(place, real.end(), head);
    ASSERT_NE(place, real.end()) << head << " is not there, or not there yet";
  }
}

TEST(ReportRelease, rounds_each_part_of_a_time_as_the_original_does) {
  const std::string report = report_of_release(data_of_a_run(), "2.9");
  EXPECT_NE(report.find("Accumulator: 002ms632.778us"), std::string::npos) << report;
}

TEST(ReportRelease, of_1_13_has_servers_no_tracing_and_an_adam_without_lerp) {
  const std::vector<MetricsData> groups = data_of_release(data_of_a_run(), "1.13");
  ASSERT_EQ(groups.size(), 2U);
  const auto names_of = [](const MetricsData& group) {
    std::vector<std::string> names;
    for (const MetricData& metric : group.metrics) names.push_back(metric.name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(groups[0]), (Names{"CompileTime", "TransferFromServerTime"}));
  EXPECT_EQ(names_of(groups[1]), (Names{"XrtCompile", "XrtReadLiteral"}));
  EXPECT_TRUE(groups[1].of_server);
  const auto counts = counts_of("1.13");
  EXPECT_EQ(counts.at("xla::mul"), 12);
  EXPECT_EQ(counts.at("xla::add"), 12);
  EXPECT_FALSE(counts.contains("xla::lerp"));
  EXPECT_FALSE(counts.contains("ExecuteComputation"));
  EXPECT_TRUE(counts.contains("DestroyDataHandles"));
}

// Two compiles of 1 and 3 s: mean 2 s, deviation 1 s.
TEST(ReportRelease, prints_the_servers_section_of_1_13_and_reads_it_back) {
  Metrics metrics;
  metrics.time("CompileTime", std::chrono::seconds(1), std::chrono::seconds(1));
  metrics.time("CompileTime", std::chrono::seconds(3), std::chrono::seconds(5));
  metrics.time(server_execution, std::chrono::milliseconds(8), std::chrono::seconds(5));
  const std::string report = report_of_release(metrics.copy(), "1.13");
  EXPECT_NE(report.find("Metric: XrtCompile\n  TotalSamples: 2\n  Accumulator: 04s000ms000.000us\n"
                        "  Mean: 02s000ms000.000us\n  StdDev: 01s000ms000.000us\n"
                        "  Rate: 0.5 / second\n  Percentiles: 25%=01s000ms000.000us; 50%=03s"),
            std::string::npos)
      << report;
  const Counters read = read_metrics_report(report, "report").counters;
  EXPECT_EQ(read.total("XrtCompile"), 4);
  EXPECT_NEAR(read.total("XrtExecute"), 0.008, 1e-9);
  for (const std::string& other :
       {metrics_report(metrics.copy()), report_of_release(metrics.copy(), "2.9")}) {
    EXPECT_EQ(other.find("Xrt"), std::string::npos) << other;
  }
}

TEST(ReportRelease, of_2_9_has_the_lazy_layers_names_first) {
  const std::vector<MetricsData> groups = data_of_release(data_of_a_run(), "2.9");
  ASSERT_EQ(groups.size(), 2U);
  ASSERT_EQ(groups[0].metrics.size(), 1U);
  EXPECT_EQ(groups[0].metrics[0].name, "LazyTracing");
  EXPECT_EQ(groups[1].metrics[0].name, "CompileTime");
  const auto counts = counts_of("2.9");
  EXPECT_EQ(counts.at("DestroyLtcTensor"), 6);
  EXPECT_EQ(counts.at("xla::_to_cpu"), 9);  // six fallbacks and three reads
  EXPECT_FALSE(counts.contains("DestroyDataHandles"));
}

TEST(ReportRelease, of_nothing_is_empty_and_an_unknown_one_is_refused_with_those_there_are) {
  for (const std::string_view version : report_releases()) {
    EXPECT_EQ(report_of_release({}, version), "");
  }
  for (const std::string_view version : {"2.4", "", "1.13 ", "jax"}) {
    try {
      data_of_release({}, version);
      ADD_FAILURE() << version;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("there are 1.13 and 2.9"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tpulab::report_release_test
