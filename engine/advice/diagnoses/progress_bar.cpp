// progress_bar: every step's loss is read for the bar.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/advice/reads.h"
#include "engine/advice/report_facts.h"
#include "engine/base/text.h"

namespace tpulab::progress_bar_diagnosis {

namespace {

Finding in_run(const RecordedRun& run) {
  const Reads reads = reads_of(run);
  if (reads.least_after < reads_of_a_bar) return {};
  const std::string between = reads.of_bar == 0 ? ""
                                                : fmt::format(", and {} between their batches",
                                                              count_with(reads.of_bar, "time"));
  return found(
      {fmt::format("aten::_local_scalar_dense {} after the cut in each of the newest {}{}, {}",
                   count_with(reads.least_after, "time"), count_with(reads.steps, "steady step"),
                   between, of_a_step(run, (reads.after_time + reads.bar_time) / reads.steps))},
      "the host cannot go on to the next step before this one is done: nothing overlaps",
      {"progress_bar off"});
}

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  if (facts.steps == 0 || facts.items_behind * 2 < facts.steps * 3) return {};
  return found_in_report(
      {fmt::format("aten::_local_scalar_dense {} in {}, {:.1f} a step of them behind its program",
                   text_with_commas(facts.items), count_with(facts.syncs, "sync"),
                   static_cast<double>(facts.items_behind) / static_cast<double>(facts.steps))},
      "two reads a step, after the sync, are what self.log(..., prog_bar=True) does",
      0.3 + facts.share(facts.download_seconds));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "progress_bar",
    .title = "the progress bar reads every step's loss",
    .family = Family::habits,
    .caused_by = "progress_bar on",
    .cured_by = "progress_bar off",
    .change =
        "self.log(\"train_loss\", loss, prog_bar=False), or "
        "Trainer(enable_progress_bar=False)",
    .in_run = in_run,
    .in_report = in_report,
};

}  // namespace tpulab::progress_bar_diagnosis
