#include "engine/advice/report_facts.h"

#include <algorithm>
#include <array>
#include <functional>

#include "engine/advice/lowered.h"

namespace tpulab {

namespace {

constexpr std::string_view scalar_read = "aten::_local_scalar_dense";
constexpr std::array<std::string_view, 4> executions{"ExecuteTime", "ExecuteReplicatedTime",
                                                     "ExecuteParallelTime", "ExecuteChainedTime"};

void add_executions(const Counters& counters, ReportFacts& facts) {
  for (const std::string_view name : executions) {
    const Series* series = counters.find(name);
    if (series == nullptr) continue;
    facts.executions += series->samples;
    const double rate = series->samples_per_second.value_or(0);
    const double span = rate > 0 ? static_cast<double>(series->samples) / rate : 0;
    facts.span_seconds = std::max(facts.span_seconds, span);
    // A device runs one program at a time: what is beyond the span are waits in its queue.
    facts.execute_seconds += span > 0 ? std::min(series->total, span) : series->total;
  }
}

// Each operation of the backward pass is called once a batch or more.
std::int64_t backward_passes(const Counters& counters) {
  std::int64_t least = 0;
  for (const auto& [name, calls] : counters.counts) {
    if (!name.starts_with("xla::") || name.find("_backward") == std::string::npos) continue;
    if (calls > 0 && (least == 0 || calls < least)) least = calls;
  }
  return least;
}

// With no more validation than training, two syncs a batch are no other batches'.
void count_steps(const Counters& counters, ReportFacts& facts) {
  facts.steps = facts.executions > 0 ? std::min(facts.syncs, facts.executions) : facts.syncs;
  const std::int64_t batches = backward_passes(counters);
  facts.steps_counted = batches > 0;
  facts.syncs_twice =
      facts.steps_counted && 2 * batches <= facts.syncs && facts.syncs <= 3 * batches;
  if (facts.syncs_twice) facts.steps = batches;
  facts.beside = facts.executions - facts.fallbacks - facts.syncs;
  if (facts.syncs_twice) facts.beside += batches;
}

}  // namespace

double ReportFacts::share(double seconds) const {
  const double told = compile_seconds + std::max(execute_seconds, download_seconds);
  const double all = std::max({span_seconds, told, seconds});
  return all > 0 ? seconds / all : 0;
}

ReportFacts facts_of(const Counters& counters) {
  ReportFacts facts;
  add_executions(counters, facts);
  const std::int64_t marked = counters.count("MarkStep");
  facts.syncs = marked > 0 ? marked : facts.executions;
  facts.compiles = std::max(counters.samples("CompileTime"), counters.count("UncachedCompile"));
  facts.items = counters.count(scalar_read);
  facts.downloads = counters.samples("TransferFromDeviceTime");
  facts.compile_seconds = counters.total("CompileTime");
  facts.download_seconds = counters.total("TransferFromDeviceTime");
  facts.upload_seconds = counters.total("TransferToDeviceTime");
  for (const bool dynamic : {false, true}) {
    for (const FallbackCount& one : fallbacks_of(counters, dynamic)) facts.fallbacks += one.calls;
  }
  count_steps(counters, facts);
  return facts;
}

std::vector<FallbackCount> fallbacks_of(const Counters& counters, bool dynamic) {
  std::vector<FallbackCount> found;
  for (const auto& [name, calls] : counters.counts) {
    if (!name.starts_with("aten::") || name == scalar_read || calls <= 0) continue;
    if (has_dynamic_shape(name) == dynamic) found.push_back({name, calls});
  }
  std::ranges::stable_sort(found, std::greater<>{}, &FallbackCount::calls);
  return found;
}

}  // namespace tpulab
