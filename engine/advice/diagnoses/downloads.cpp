// downloads: whole tensors are fetched from the device again and again.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/advice/report_facts.h"
#include "engine/advice/script_facts.h"
#include "engine/base/text.h"

namespace tpulab::downloads_diagnosis {

namespace {

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  const std::int64_t others = facts.downloads - facts.items - facts.fallbacks;
  if (facts.steps == 0 || others < facts.steps) return {};
  return found_in_report(
      {fmt::format("{} from the device in {}, {} of them neither item() nor a fallback; {:.1f} s, "
                   "{} in all",
                   count_with(facts.downloads, "transfer"), count_with(facts.syncs, "sync"), others,
                   facts.download_seconds,
                   text_of(Bytes{static_cast<std::int64_t>(counters.total("InboundData"))}))},
      "print(tensor), .cpu(), .tolist(), .numpy() or saving in the step; the time includes waiting "
      "for the value",
      0.3 + facts.share(facts.download_seconds));
}

Finding in_script(const ScriptFacts& facts) {
  if (facts.downloads.empty()) return {};
  return found_in_script(evidence_of(facts.downloads, facts.steps),
                         "each cuts the graph, waits for the devices and fetches the whole tensor "
                         "(__repr__ is print)",
                         0.2 + 0.5 * share_of_steps(facts.downloads, facts.steps));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "downloads",
    .title = "tensors are fetched from the device on many steps",
    .family = Family::habits,
    .caused_by = {},
    .cured_by = {},
    .change =
        "no print(tensor), .cpu(), .numpy() or .tolist() in a step; fetch at the end of an "
        "epoch, by xm.add_step_closure where it must be sooner",
    .in_report = in_report,
    .in_script = in_script,
};

}  // namespace tpulab::downloads_diagnosis
