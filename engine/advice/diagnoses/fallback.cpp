// fallback: an operation of a fixed shape runs on the host's CPU.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/advice/diagnosis.h"
#include "engine/advice/lowered.h"
#include "engine/advice/report_facts.h"
#include "engine/advice/script_facts.h"
#include "engine/base/text.h"

namespace tpulab::fallback_diagnosis {

namespace {

struct Calls {
  std::int64_t count = 0;
  TimedEvent newest;
  std::int64_t step = 0;
};

Finding in_run(const RecordedRun& run) {
  std::map<std::string, Calls> calls;
  for (const StepTimeline* step : run.steady) {
    for (const TimedEvent& timed : step->events) {
      const Event& event = *timed.event;
      if (event.kind != EventKind::host_op || has_dynamic_shape(event.name)) continue;
      Calls& one = calls[event.name];
      one = {one.count + 1, timed, step->step};
    }
  }
  if (calls.empty()) return {};
  Finding finding = found({}, "the graph is cut in two: the devices wait while the host computes",
                          {"class_weights off", "fallback_op none"});
  for (const auto& [op, one] : calls) {
    finding.certain.push_back(fmt::format(
        "{} {} in the newest {}; in step {}: waited {}, download {}, CPU {}, upload {}; instead: "
        "{}",
        op, count_with(one.count, "time"), count_with(std::ssize(run.steady), "steady step"),
        one.step, text_of(one.newest.waited), text_of(one.newest.download), text_of(one.newest.cpu),
        text_of(one.newest.upload), lowered_alternative(op)));
  }
  return finding;
}

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  Finding finding = found_in_report({}, {}, 0);
  std::int64_t calls = 0;
  for (const FallbackCount& one : fallbacks_of(counters, false)) {
    if (one.calls * 10 < facts.steps) continue;  // a few at the start cost nothing
    calls = std::max(calls, one.calls);
    finding.certain.push_back(
        fmt::format("{} {} in {}; instead: {}", one.op, text_with_commas(one.calls),
                    count_with(facts.syncs, "sync"), lowered_alternative(one.op)));
  }
  if (finding.certain.empty()) return {};
  const double each =
      facts.steps > 0 ? static_cast<double>(calls) / static_cast<double>(facts.steps) : 1.0;
  finding.inferred = "each call waits for the device, downloads, computes on the CPU and uploads";
  finding.weight = 0.3 * std::min(each, 2.0) + facts.share(facts.download_seconds);
  return finding;
}

Finding in_script(const ScriptFacts& facts) {
  if (facts.fallbacks.empty()) return {};
  return found_in_script(
      evidence_of(facts.fallbacks, facts.steps, Instead::told),
      "no release from 1.13 to 2.9 lowers it: each call cuts the graph, waits for the device, "
      "downloads, computes on the CPU and uploads",
      0.2 + 0.6 * share_of_steps(facts.fallbacks, facts.steps));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "fallback",
    .title = "an operation runs on the host's CPU",
    .family = Family::habits,
    .caused_by = "class_weights on",
    .cured_by = "class_weights off",
    .change =
        "replace it by an operation that is lowered, or do it while data is prepared; for "
        "torch.bincount: one_hot(labels, classes).sum(0)",
    .in_run = in_run,
    .in_report = in_report,
    .in_script = in_script,
};

}  // namespace tpulab::fallback_diagnosis
