// item: a value is read in the middle of a step.
#include <fmt/format.h>

#include <algorithm>

#include "engine/advice/diagnosis.h"
#include "engine/advice/reads.h"
#include "engine/advice/report_facts.h"
#include "engine/advice/script_facts.h"
#include "engine/base/text.h"

namespace tpulab::item_diagnosis {

namespace {

std::string counted(const Reads& reads) {
  const bool several = reads.inside > reads.steps_inside;
  return fmt::format(
      "aten::_local_scalar_dense inside {} of the newest {}, {}last in step {}: the graph is cut "
      "there and the host waits {} each",
      reads.steps_inside, count_with(reads.steps, "steady step"),
      several ? count_with(reads.inside, "time") + ", " : "", reads.newest_inside,
      text_of(reads.inside_time / reads.inside));
}

Finding in_run(const RecordedRun& run) {
  const Reads reads = reads_of(run);
  if (reads.inside == 0) return {};
  return found({counted(reads)},
               "the forward pass runs once for the read and again in the step's own program; "
               "the devices stand still while the host reads and traces the rest",
               {"item_every_n_steps 0"});
}

// A read inside a step runs a program of its own; a read after the sync does not.
Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  if (facts.items * 5 < facts.steps || facts.items == 0) return {};
  if (facts.beside * 5 < std::min(facts.items, facts.steps) * 2) return {};
  const bool some_run_nothing = facts.batches > 0 && facts.batches < facts.syncs;
  return found_in_report(
      {fmt::format("aten::_local_scalar_dense {} in {}", text_with_commas(facts.items),
                   count_with(facts.syncs, "sync")),
       fmt::format("{} for {}{}: {} beside the steps", count_with(facts.executions, "execution"),
                   count_with(facts.syncs, "sync"),
                   some_run_nothing ? fmt::format(" of {} batches", facts.batches) : "",
                   facts.beside)},
      "the reads cut the graph inside the step, which runs the forward pass again",
      0.3 + facts.share(facts.download_seconds));
}

Finding in_script(const ScriptFacts& facts) {
  if (facts.reads.empty()) return {};
  std::string inferred =
      "each read cuts the graph inside the step: the host waits for the devices, and what led to "
      "the value is computed again in the rest of the step";
  const bool by_torch = std::ranges::any_of(facts.reads, [](const CallGroup& group) {
    return group.name == "aten::_local_scalar_dense";
  });
  if (by_torch && facts.on_cpu) {
    inferred += "; aten::_local_scalar_dense is PyTorch's own code, which may ask on a CPU alone";
  }
  return found_in_script(evidence_of(facts.reads, facts.steps), std::move(inferred),
                         0.2 + 0.6 * share_of_steps(facts.reads, facts.steps));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "item",
    .title = "a value is read inside the step",
    .family = Family::habits,
    .caused_by = "item_every_n_steps 1",
    .cured_by = "item_every_n_steps 0",
    .change =
        "no loss.item(), float(loss), print(loss) or `if loss > x` in training_step; keep "
        "the tensor (detach()) and read it every 50 steps, after torch_xla.sync()",
    .in_run = in_run,
    .in_report = in_report,
    .in_script = in_script,
};

}  // namespace tpulab::item_diagnosis
