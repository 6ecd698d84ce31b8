// recompiles: programs are compiled again and again.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/advice/lowered.h"
#include "engine/advice/report_facts.h"
#include "engine/advice/script_facts.h"
#include "engine/base/text.h"

namespace tpulab::recompiles_diagnosis {

namespace {

// Training, its second step, its last batch, evaluation and its last batch, reads: then it is over.
constexpr std::int64_t usual_compiles = 10;

constexpr std::int64_t few_runs = 50;
constexpr std::int64_t usual_sizes = 2;  // with a shorter last batch

// What training steps compiled.
struct Compiles {
  std::int64_t count = 0;
  std::int64_t steps = 0;
  Picoseconds time{};
  const StepTimeline* newest = nullptr;
  const Event* event = nullptr;  // of the newest
  bool dynamic_shape = false;    // of a result inside a step
};

Compiles compiles_in(const RecordedRun& run) {
  Compiles all;
  for (const StepTimeline& step : run.steps) {
    if (step.kind != StepKind::train) continue;
    ++all.steps;
    for (const TimedEvent& timed : step.events) {
      const Event& event = *timed.event;
      all.dynamic_shape |= event.kind == EventKind::host_op && has_dynamic_shape(event.name);
      if (event.kind != EventKind::compile) continue;
      ++all.count;
      all.time += timed.compile();
      all.newest = &step;
      all.event = &event;
    }
  }
  return all;
}

// A shorter last batch comes alone.
bool two_are_shorter(const RecordedRun& run) {
  const std::int64_t usual = run.usual_samples();
  bool before = false;
  for (const StepTimeline& step : run.steps) {
    if (step.kind != StepKind::train) continue;
    const bool shorter = step.samples < usual;
    if (shorter && before) return true;
    before = shorter;
  }
  return false;
}

// Batches whose rows change, or graphs that do; a shape inside of the step is dynamic_shape.
Finding in_run(const RecordedRun& run) {
  const Compiles all = compiles_in(run);
  if (all.newest == nullptr || all.dynamic_shape) return {};
  const std::string counted =
      fmt::format("{} in {}", count_with(all.count, "compile"), count_with(all.steps, "step"));
  const std::int64_t sizes = run.sizes_of_batches();
  if (sizes > usual_sizes || two_are_shorter(run)) {
    return found({fmt::format("{} whose batches have {} different numbers of rows, {} in all; "
                              "the newest in step {}, of {} rows a device",
                              counted, sizes, text_of(all.time), all.newest->step,
                              all.newest->samples / run.machine.world())},
                 "each number of rows that was not there before compiles a program of its own",
                 {"shapes bucketed", "shapes fixed"});
  }
  if (all.count <= usual_compiles) return {};
  return found(
      {fmt::format("{} of the same rows, {} in all; the newest in step {}: {}", counted,
                   text_of(all.time), all.newest->step, all.event->cause)},
      "Python that decides how much is computed, or texts padded to their longest, make another "
      "graph each time",
      {"loop_turns 0", "shapes bucketed", "shapes fixed"});
}

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  if (counters.find("CompileTime") == nullptr && !counters.has("UncachedCompile")) {
    return cannot_tell("neither CompileTime nor UncachedCompile is in the report");
  }
  const std::int64_t runs = std::max(facts.syncs, facts.executions);
  if (facts.compiles <= usual_compiles || facts.compiles * 10 < runs) return {};
  return found_in_report(
      {fmt::format("{} in {} ({}), {:.1f} s", count_with(facts.compiles, "compile"),
                   count_with(facts.syncs, "sync"), count_with(facts.executions, "execution"),
                   facts.compile_seconds)},
      runs < few_runs
          ? "after so few steps it may still be the start, or shapes that change on every step"
          : "shapes, Python values or the set of results change from step to step; which of them, "
            "no counter tells: PT_XLA_DEBUG_LEVEL=1 names the line",
      0.2 + facts.share(facts.compile_seconds));
}

Finding in_script(const ScriptFacts& facts) {
  if (facts.steps < 2) return cannot_tell("a single step was recorded");
  if (!facts.dynamic.empty()) return cannot_tell("a shape depends on values, which changes graphs");
  std::vector<std::string> certain;
  std::int64_t shorter = 0;
  for (const ScriptGraph& graph : facts.graphs) {
    if (graph.kind == GraphKind::usual || graph.kind == GraphKind::start) continue;
    if (graph.kind == GraphKind::shorter_batch) ++shorter;
    if (certain.size() == 5) continue;
    certain.push_back(fmt::format(
        "step {}{}: {}", graph.first,
        graph.steps > 1 ? fmt::format(" and {} more", graph.steps - 1) : "", graph.difference));
  }
  const bool last_batch = certain.size() == 1 && shorter == 1;
  if (certain.empty() || last_batch) return {};
  const auto graphs = std::ssize(facts.graphs);
  certain.insert(certain.begin(), fmt::format("{} in {}", count_with(graphs, "different graph"),
                                              count_with(facts.steps, "step")));
  return found_in_script(
      std::move(certain), "each graph that was not there before compiles",
      0.2 + 0.7 * static_cast<double>(graphs) / static_cast<double>(facts.steps));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "recompiles",
    .title = "programs are compiled again and again",
    .family = Family::shapes,
    .caused_by = "shapes random",
    .cured_by = "shapes fixed",
    .change =
        "pad or bucket the inputs to a few shapes, drop_last=True, keep Python numbers that "
        "change out of shapes and indices, keep the same tensors alive at each sync",
    .recurs = true,
    .in_run = in_run,
    .in_report = in_report,
    .in_script = in_script,
};

}  // namespace tpulab::recompiles_diagnosis
