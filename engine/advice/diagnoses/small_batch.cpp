// small_batch: what a step costs whatever its rows shares itself among too few of them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/advice/diagnosis.h"
#include "engine/advice/report_facts.h"
#include "engine/base/text.h"

namespace tpulab::small_batch_diagnosis {

namespace {

constexpr std::int64_t largest_batch = 1 << 16;

std::string why(double host, double sent, bool traces) {
  if (host >= std::max(sent, 0.05)) {
    return fmt::format("the devices wait while the host {}, which takes as long for more rows",
                       traces ? "traces" : "hands over the step");
  }
  if (sent >= 0.05) return "a transfer costs the host a call, however many rows it carries";
  return "weights are read, updated and exchanged once a step, however many rows it has";
}

// Powers of two: the rows of a step may be what chance has left of a batch.
std::vector<std::string> larger_batches(std::int64_t rows) {
  const auto half_as_many_more = static_cast<std::uint64_t>(rows + (rows + 1) / 2);
  auto more = static_cast<std::int64_t>(std::bit_ceil(half_as_many_more));
  std::vector<std::string> tries;
  for (; more <= largest_batch && tries.size() < 10; more *= 2) {
    tries.push_back(fmt::format("batch {}", more));
  }
  return tries;
}

// Of one device in a steady step: last batches and changing shapes have fewer.
std::string mean_rows(const RecordedRun& run) {
  double samples = 0;
  for (const StepTimeline* step : run.steady) samples += static_cast<double>(step->samples);
  const double rows = samples / static_cast<double>(std::max<std::size_t>(run.steady.size(), 1)) /
                      run.machine.world();
  const double shown = std::round(rows * 10) / 10;
  const bool whole = shown == std::round(shown);
  return whole ? count_with(std::llround(shown), "row") : fmt::format("{:.1f} rows", shown);
}

Finding in_run(const RecordedRun& run) {
  const std::int64_t rows = run.usual_rows();
  if (rows <= 0) return {};
  const bool traces = run.machine.stack->traces_each_step();
  const Share of_host = traces ? Share::host_tracing : Share::dispatch;
  const std::size_t group = run.group_with_most(of_host);  // whose shares are of one whole
  const auto share = [&](Share of) { return run.share(of, group); };
  const double host = share(of_host);
  const double sent = share(Share::input) + share(Share::transfer) + share(Share::read_back);
  const double moved = share(Share::hbm_bound) + share(Share::collective_transfer);
  return found({fmt::format("{} a device in a step of {}: {} {}, input, transfers and reads {}, "
                            "compute {}, HBM and links {}",
                            mean_rows(run), text_of(run.mean_step()), name_of(of_host),
                            text_of_share(host), text_of_share(sent),
                            text_of_share(share(Share::compute)), text_of_share(moved))},
               why(host, sent, traces), larger_batches(rows));
}

// From dispatch to completion includes the queue, so a device that is busy shows more, not less.
Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  const Series* tracing = counters.find("LazyTracing");
  const Series* runs = counters.find("ExecuteTime");
  if (runs == nullptr) return cannot_tell("no ExecuteTime is in the report");
  const double busy = runs->total_per_second.value_or(1);
  if (tracing == nullptr) {
    const bool idle = busy < 0.6 && facts.share(facts.compile_seconds) < 0.3;
    if (!idle) return cannot_tell("LazyTracing, the tracing of the host, is counted since 2.2");
    return found_in_report(
        {fmt::format("ExecuteTime: {:.2f} s of programs a second", busy)},
        "the device waits for the host; for tracing or for input no counter before 2.2 tells",
        facts.downloads < facts.steps ? 0.5 * (1 - busy) : 0.25 * (1 - busy));
  }
  // What an operation waits for is in the time of its tracing.
  if (tracing->total - facts.download_seconds < facts.execute_seconds) return {};
  if (facts.unexplained() > facts.share(tracing->total)) return {};  // the loader's, or Python's
  return found_in_report(
      {fmt::format("LazyTracing {:.2f} s (C++ alone, Python comes on top), ExecuteTime {:.2f} s "
                   "(queue included)",
                   tracing->total, facts.execute_seconds)},
      "the host needs longer to trace steps than the device to run them",
      facts.share(tracing->total));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "small_batch",
    .title = "too few rows a step for what a step costs",
    .family = Family::structure,
    .caused_by = "batch 4",
    .cured_by = "batch 180",
    .change =
        "DataLoader(batch_size=...): rows per device; fewer steps an epoch, so the learning "
        "rate may have to grow",
    .changes_training = true,
    .in_run = in_run,
    .in_report = in_report,
};

}  // namespace tpulab::small_batch_diagnosis
