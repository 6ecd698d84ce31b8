// dynamic_shape: the shape of a result depends on values, so each new size compiles.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/advice/lowered.h"
#include "engine/advice/report_facts.h"
#include "engine/advice/script_facts.h"
#include "engine/base/text.h"

namespace tpulab::dynamic_shape_diagnosis {

namespace {

Finding in_run(const RecordedRun& run) {
  std::int64_t calls = 0;
  std::int64_t compiles = 0;
  std::int64_t newest = 0;
  std::string op;
  for (const StepTimeline& step : run.steps) {
    for (const TimedEvent& timed : step.events) {
      const Event& event = *timed.event;
      if (step.kind != StepKind::train) continue;
      if (event.kind == EventKind::host_op && has_dynamic_shape(event.name)) {
        op = event.name;
        ++calls;
      }
      if (event.kind != EventKind::compile || calls == 0) continue;
      ++compiles;
      newest = step.step;
    }
  }
  if (calls == 0) return {};
  return found({fmt::format("{} {}, and {}, the newest in step {}; instead: {}", op,
                            count_with(calls, "time"), count_with(compiles, "compile"), newest,
                            lowered_alternative(op))},
               "each size that was not there before compiles a program of its own",
               {"hard_examples off"});
}

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  Finding finding = found_in_report({}, {}, 0.3 + facts.share(facts.compile_seconds));
  for (const FallbackCount& one : fallbacks_of(counters, true)) {
    if (one.calls * 10 < facts.steps) continue;
    finding.certain.push_back(
        fmt::format("{} {} in {}, {}; instead: {}", one.op, text_with_commas(one.calls),
                    count_with(facts.syncs, "sync"), count_with(facts.compiles, "compile"),
                    lowered_alternative(one.op)));
  }
  if (finding.certain.empty()) return {};
  finding.inferred = facts.compiles > 10 ? "its sizes are likely what the compiles are of"
                                         : "each call is a cut; its sizes compile little so far";
  return finding;
}

Finding in_script(const ScriptFacts& facts) {
  if (facts.dynamic.empty()) return {};
  Finding finding = found_in_script(evidence_of(facts.dynamic, facts.steps, Instead::told), {},
                                    0.3 + 0.6 * share_of_steps(facts.dynamic, facts.steps));
  const auto graphs = std::ssize(facts.graphs);
  finding.inferred =
      graphs > 1
          ? fmt::format("it runs on the CPU, and each new size compiles what follows: {} in {}",
                        count_with(graphs, "different graph"),
                        count_with(facts.steps, "recorded step"))
          : std::string(
                "it runs on the CPU; the sizes were the same in all recorded steps, "
                "and each new one would compile what follows");
  return finding;
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "dynamic_shape",
    .title = "a shape depends on values",
    .family = Family::shapes,
    .caused_by = "devices 1; hard_examples on; run max_steps=20; wait",
    .cured_by = "hard_examples off",
    .change =
        "keep the shape: loss = torch.where(hard, loss, 0).sum() / hard.sum() instead of "
        "loss[hard].mean(); topk of a fixed number",
    .recurs = true,
    .in_run = in_run,
    .in_report = in_report,
    .in_script = in_script,
};

}  // namespace tpulab::dynamic_shape_diagnosis
