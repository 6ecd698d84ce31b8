#include "engine/formats/report_release.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/metrics_report.h"

namespace tpulab {

namespace {

using Counts = std::map<std::string, std::int64_t>;  // sorted bytewise, as the original's map

constexpr std::array<std::string_view, 2> releases{"1.13", "2.9"};

// Names of the runtime, which 2.x prints behind those of the lazy layer. [xla-counts, Report]
constexpr std::string_view runtime_names =
    "CompileTime ExecuteTime InboundData OutboundData TransferFromDeviceTime "
    "TransferToDeviceTime CreateCompileHandles CreateDataHandles DestroyDataHandles MarkStep "
    "ReleaseDataHandles PersistentCacheHit PersistentCacheMiss";

struct Renamed {
  std::string_view now;
  std::string_view then;
};
// In 1.13 metrics of transfers are called after the server. [X@r2.2 and X@r2.3]
constexpr std::array<Renamed, 2> server_names{{
    {"TransferFromDeviceTime", "TransferFromServerTime"},
    {"TransferToDeviceTime", "TransferToServerTime"},
}};

// What the server counts of the same calls; others of its names are times of its own.
// [X@r1.13:third_party/xla_client/metrics_reader.cc; sections printed in xla#1989, xla#2019]
constexpr std::array<Renamed, 4> server_metrics{{
    {"CompileTime", "XrtCompile"},
    {"TransferFromDeviceTime", "XrtReadLiteral"},
    {"TransferToDeviceTime", "XrtAllocateFromTensor"},
    {server_execution, server_execution},
}};

bool of_runtime(std::string_view name) {
  return name.starts_with("aten::") || has_word(runtime_names, name);
}

// Reads and fallbacks alike bring their tensors to the CPU. [X:torch_xla/csrc/aten_fallback.cpp]
void add_copies_to_cpu(Counts& counts) {
  std::int64_t copies = 0;
  for (const auto& [name, count] : counts) copies += name.starts_with("aten::") ? count : 0;
  if (copies > 0) counts["xla::_to_cpu"] += copies;
}

// Adam of torch 1.13 has exp_avg.mul_(beta1).add_(grad) where later ones call lerp_.
// [P:torch/optim/adam.py]
void split_lerp(Counts& counts) {
  const auto lerp = counts.find("xla::lerp");
  if (lerp == counts.end()) return;
  counts["xla::mul"] += lerp->second;
  counts["xla::add"] += lerp->second;
  counts.erase(lerp);
}

MetricsData with(std::vector<MetricData> metrics, const Counts& counts) {
  std::ranges::sort(metrics, {}, &MetricData::name);
  return {.metrics = std::move(metrics), .counters = {counts.begin(), counts.end()}};
}

// LazyTracing came with 2.2, the counter of executions too. [X:test/test_metrics.py]
std::vector<MetricsData> of_1_13(const MetricsData& data, Counts counts) {
  split_lerp(counts);
  counts.erase("ExecuteComputation");
  std::vector<MetricData> metrics;
  std::vector<MetricData> of_server;
  for (MetricData metric : data.metrics) {
    const auto* const counted = std::ranges::find(server_metrics, metric.name, &Renamed::now);
    if (counted != server_metrics.end()) {
      of_server.push_back(metric);
      of_server.back().name = counted->then;
    }
    if (metric.name == "LazyTracing" || metric.name == server_execution) continue;
    const auto* const old = std::ranges::find(server_names, metric.name, &Renamed::now);
    if (old != server_names.end()) metric.name = old->then;
    metrics.push_back(std::move(metric));
  }
  std::vector<MetricsData> groups{with(std::move(metrics), counts)};
  if (of_server.empty()) return groups;
  groups.push_back(with(std::move(of_server), {}));
  groups.back().of_server = true;
  return groups;
}

// Tensors die under the name of the lazy core, too, and handles without a count; the function
// table is registered once a process. [xla-counts, reports of 2.9]
std::vector<MetricsData> of_2_9(const MetricsData& data, Counts counts) {
  counts.erase("DestroyDataHandles");
  if (const auto dead = counts.find("DestroyXlaTensor"); dead != counts.end()) {
    counts["DestroyLtcTensor"] = dead->second;
    counts["RegisterXLAFunctions"] = 1;
  }
  std::array<std::vector<MetricData>, 2> metrics;
  std::array<Counts, 2> split;
  for (const MetricData& metric : data.metrics) {
    if (metric.name != server_execution) metrics[of_runtime(metric.name)].push_back(metric);
  }
  for (const auto& [name, count] : counts) split[of_runtime(name)].emplace(name, count);
  return {with(std::move(metrics[0]), split[0]), with(std::move(metrics[1]), split[1])};
}

void check(std::string_view version) {
  if (std::ranges::find(releases, version) != releases.end()) return;
  throw Error(fmt::format("no report of PyTorch/XLA {} is known here; there are {}",
                          version.empty() ? "without a version" : version,
                          fmt::join(releases, " and ")));
}

}  // namespace

std::span<const std::string_view> report_releases() { return releases; }

std::vector<MetricsData> data_of_release(const MetricsData& data, std::string_view version) {
  check(version);
  Counts counts;
  for (const auto& [name, count] : data.counters) {
    if (count > 0) counts.emplace(name, count);
  }
  if (counts.empty() && data.metrics.empty()) return {};
  add_copies_to_cpu(counts);
  return version == "1.13" ? of_1_13(data, std::move(counts)) : of_2_9(data, std::move(counts));
}

std::string report_of_release(const MetricsData& data, std::string_view version) {
  std::string text;
  for (const MetricsData& group : data_of_release(data, version)) {
    text += metrics_report(group, TimeParts::rounded);
  }
  return text;
}

std::string_view missing_in_release(std::string_view version) {
  check(version);
  if (version == "1.13") {
    return "not in it: XrtReleaseAllocation and XrtSubTuple of the server, IrValueTensorToXlaData, "
           "TensorToData and handles (times that are not modelled); xla:: counters of views, "
           "copies, pools, embeddings, layer norms and attention";
  }
  return "not in it: IrValueTensorToXlaData, TensorToData, UnwrapXlaData and WrapXlaData (times of "
         "the host that are not modelled); xla:: counters of views, copies, pools, embeddings, "
         "layer norms and attention";
}

}  // namespace tpulab
