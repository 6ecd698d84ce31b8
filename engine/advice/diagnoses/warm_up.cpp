// warm_up: the few compiles of a start take much of the time so far.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/advice/report_facts.h"
#include "engine/base/text.h"

namespace tpulab::warm_up_diagnosis {

namespace {

// What every step does counts for more than what is over soon.
constexpr double weight_of_a_start = 0.15;

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  const Series* compiles = counters.find("CompileTime");
  if (compiles == nullptr) return {};
  if (facts.compiles > 0 && facts.compile_seconds == 0) {
    return cannot_tell("no time of a compile is told");
  }
  const double share = facts.share(facts.compile_seconds);
  const bool few = facts.compiles <= 10 || facts.compiles * 10 < facts.syncs;
  if (!few || share < 0.3) return {};
  return found_in_report(
      {fmt::format("{} took {:.1f} s of about {:.1f} s, for {}",
                   count_with(facts.compiles, "compile"), facts.compile_seconds,
                   facts.compile_seconds / share, count_with(facts.syncs, "sync"))},
      "the programs are compiled once; the share falls as training goes on",
      weight_of_a_start * share);
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "warm_up",
    .title = "the first compiles take much of the time so far",
    .family = Family::shapes,
    .caused_by = "max_steps 4",
    .cured_by = "max_steps -1",
    .change =
        "train longer before measuring; xr.initialize_cache(path) keeps programs for the "
        "next process",
    .in_report = in_report,
};

}  // namespace tpulab::warm_up_diagnosis
