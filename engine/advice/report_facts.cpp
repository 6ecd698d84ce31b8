#include "engine/advice/report_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "engine/advice/lowered.h"

namespace tpulab {

namespace {

constexpr std::string_view scalar_read = "aten::_local_scalar_dense";
constexpr std::array<std::string_view, 4> executions{"ExecuteTime", "ExecuteReplicatedTime",
                                                     "ExecuteParallelTime", "ExecuteChainedTime"};

double span_of(const Series& series) {
  const double rate = series.samples_per_second.value_or(0);
  return rate > 0 ? static_cast<double>(series.samples) / rate : 0;
}

void add_executions(const Counters& counters, ReportFacts& facts) {
  for (const std::string_view name : executions) {
    const Series* series = counters.find(name);
    if (series == nullptr) continue;
    facts.executions += series->samples;
    const double span = span_of(*series);
    facts.span_seconds = std::max(facts.span_seconds, span);
    // A device runs one program at a time: what is beyond the span are waits in its queue.
    facts.queues = facts.queues || (span > 0 && series->total > span);
    facts.execute_seconds += span > 0 ? std::min(series->total, span) : series->total;
  }
}

// From its first sample to its last, where all of them are kept [torch_xla: the newest 1,024].
double kept_span(const Series& series) {
  constexpr std::int64_t kept = 1024;
  return series.samples <= kept ? span_of(series) : 0;
}

// Forward passes. In training an operation is called as often forward as backward: the rest is
// validation's. A loss may have none there. An operation that is not trained everywhere makes too
// many: that tells less.
std::int64_t batches_of(const Counters& counters) {
  std::int64_t trained = 0;
  double of_trained = 0;
  for (const auto& [name, calls] : counters.counts) {
    const std::size_t ending = name.find("_backward");
    if (ending == std::string::npos || !name.starts_with("xla::") || calls <= 0) continue;
    trained = trained == 0 ? calls : std::min(trained, calls);
    if (name.find("loss") != std::string::npos || name.starts_with("xla::_log_softmax")) continue;
    const std::string both = name.substr(0, ending);
    const std::string forward = both == "xla::threshold" ? "xla::relu" : both;
    of_trained = std::max(
        of_trained, static_cast<double>(counters.count(forward)) / static_cast<double>(calls));
  }
  return of_trained < 1 ? 0 : std::llround(of_trained * static_cast<double>(trained));
}

// Several devices sync twice a batch, and one of both runs nothing.
void count_steps(const Counters& counters, ReportFacts& facts) {
  facts.batches = batches_of(counters);
  const std::int64_t own = facts.batches > 0 ? std::min(facts.syncs, facts.batches) : facts.syncs;
  facts.steps = facts.executions > 0 ? std::min(own, facts.executions) : own;
  facts.beside = std::max<std::int64_t>(0, facts.executions - facts.fallbacks - own);
  facts.items_behind = std::max<std::int64_t>(0, facts.items - facts.beside);
}

}  // namespace

double ReportFacts::share(double seconds) const {
  // Programs wait in the queue while others compile.
  const double behind = queues ? 0 : std::max(execute_seconds, download_seconds);
  const double all = std::max({span_seconds, compile_seconds + behind, seconds});
  return all > 0 ? seconds / all : 0;
}

double ReportFacts::unexplained() const {
  if (span_seconds == 0 || tracing_seconds == 0 || queues) return 0;
  const double told =
      compile_seconds + execute_seconds + download_seconds + upload_seconds + tracing_seconds;
  return std::max(0.0, 1 - told / span_seconds);
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
  facts.tracing_seconds = counters.total("LazyTracing");
  for (const bool dynamic : {false, true}) {
    for (const FallbackCount& one : fallbacks_of(counters, dynamic)) facts.fallbacks += one.calls;
  }
  // Where executions tell none, waits are not told apart from what else there was.
  if (facts.span_seconds > 0) {
    for (const Series& series : counters.series) {
      facts.span_seconds = std::max(facts.span_seconds, kept_span(series));
    }
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
