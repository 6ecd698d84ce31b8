// logging: the logger reads values too often.
#include <fmt/format.h>

#include <cmath>

#include "engine/advice/diagnosis.h"
#include "engine/advice/reads.h"
#include "engine/advice/report_facts.h"
#include "engine/base/text.h"

namespace tpulab::logging_diagnosis {

namespace {

// Lightning's own interval.
constexpr std::int64_t usual_interval = 50;

std::string interval_text(double steps) {
  const double rounded = std::round(steps);
  return rounded <= 1 ? "every step" : fmt::format("every {:.0f} steps", rounded);
}

// Whoever asks for the loss of a compiled step reads it behind the step.
Finding of_functions(const Reads& reads) {
  Finding finding =
      found({fmt::format("what the step returns is read {} in the newest {}",
                         count_with(reads.after, "time"), count_with(reads.steps, "steady step"))},
            "the host waits for the devices each time, and hands over the next step "
            "behind that",
            {"log_every_n_steps 50", "item_every_n_steps 0"});
  finding.traced_once =
      "in JAX: keep what the jitted step returns, and read it every 50 steps with "
      "jax.device_get; in TensorFlow likewise, with .numpy()";
  return finding;
}

Finding in_run(const RecordedRun& run) {
  const Reads reads = reads_of(run);
  const bool traces = run.machine.stack->traces_each_step();
  const std::int64_t bar = traces && reads.least_after >= reads_of_a_bar ? reads_of_a_bar : 0;
  const std::int64_t logged = reads.after - bar * reads.steps;
  if (logged * usual_interval <= reads.steps * 2) return {};
  if (!traces) return of_functions(reads);
  return found(
      {fmt::format("aten::_local_scalar_dense {} after the cut in the newest {}",
                   count_with(logged, "time"), count_with(reads.steps, "steady step"))},
      fmt::format("a value is logged {}; the host waits for the devices each time",
                  interval_text(static_cast<double>(reads.steps) / static_cast<double>(logged))),
      {"log_every_n_steps 50"});
}

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  // Of a few steps the first, the last and those of validation are many.
  constexpr std::int64_t enough = 20;
  const std::int64_t twice = facts.items_behind * 2;
  if (facts.steps < enough || twice < facts.steps || twice >= facts.steps * 3) return {};
  if (2 * counters.count("xla::argmax") >= facts.steps) {
    return cannot_tell(
        "as many accuracies are computed as steps are taken: their reads may be all");
  }
  return found_in_report(
      {fmt::format("aten::_local_scalar_dense {} in {}, {}", text_with_commas(facts.items),
                   count_with(facts.syncs, "sync"), count_with(facts.executions, "execution"))},
      facts.batches == 0 && facts.syncs < facts.executions + facts.items / 2
          ? "a value is read after the sync of every few steps, as a logger does; or, if a step "
            "has two syncs, as several devices do, inside each, as item() does"
          : "a value is read after the sync of every few steps, as a logger does",
      0.1 + facts.share(facts.download_seconds));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "logging",
    .title = "values are logged on almost every step",
    .family = Family::habits,
    .caused_by = "log_every_n_steps 1",
    .cured_by = "log_every_n_steps 50",
    .change = "Trainer(log_every_n_steps=50)",
    .in_run = in_run,
    .in_report = in_report,
};

}  // namespace tpulab::logging_diagnosis
