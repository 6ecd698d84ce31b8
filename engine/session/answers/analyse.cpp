#include "engine/session/answers/analyse.h"

#include <algorithm>

#include "engine/formats/log_prefix.h"
#include "engine/formats/xla_debug_reader.h"

namespace tpulab {

namespace {

Finding finding_of(const Diagnosis& cause, const Counters& counters, bool debug) {
  if (cause.in_report == nullptr) return cannot_tell("no counter of any release measures it");
  Finding finding = cause.in_report(counters);
  if (debug && finding.verdict == Verdict::cannot_tell) {
    finding.inferred = "PT_XLA_DEBUG prints no times; metrics_report() does";
  }
  return finding;
}

}  // namespace

void sort_out(const std::function<Finding(const Diagnosis&)>& look, std::vector<Diagnosed>& found,
              std::vector<Diagnosed>& cannot_tell) {
  for (const Diagnosis* cause : all_diagnoses()) {
    Finding finding = look(*cause);
    if (finding.verdict == Verdict::absent) continue;
    auto& list = finding.verdict == Verdict::found ? found : cannot_tell;
    list.push_back({cause, std::move(finding)});
  }
  const auto weight = [](const Diagnosed& one) { return one.finding.weight; };
  std::ranges::stable_sort(found, std::greater<>{}, weight);
}

ReportAnalysis analysis_of(std::string_view text, const std::string& name) {
  ReportAnalysis analysis;
  // A log may have both: a report tells more.
  analysis.debug = is_xla_debug(text) && !has_report(text);
  analysis.report = analysis.debug ? read_xla_debug(text, name) : read_metrics_report(text, name);
  const Counters& counters = analysis.report.counters;
  analysis.facts = facts_of(counters);
  const auto look = [&](const Diagnosis& cause) {
    return finding_of(cause, counters, analysis.debug);
  };
  sort_out(look, analysis.found, analysis.cannot_tell);
  return analysis;
}

}  // namespace tpulab
