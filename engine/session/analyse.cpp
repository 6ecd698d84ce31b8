#include "engine/session/analyse.h"

#include <algorithm>
#include <functional>

namespace tpulab {

ReportAnalysis analysis_of(std::string_view text, const std::string& name) {
  ReportAnalysis analysis;
  analysis.report = read_metrics_report(text, name);
  const Counters& counters = analysis.report.counters;
  analysis.facts = facts_of(counters);
  for (const Diagnosis* cause : all_diagnoses()) {
    Finding finding = cause->in_report != nullptr
                          ? cause->in_report(counters)
                          : cannot_tell("no counter of any release measures it");
    if (finding.verdict == Verdict::absent) continue;
    auto& list = finding.verdict == Verdict::found ? analysis.found : analysis.cannot_tell;
    list.push_back({cause, std::move(finding)});
  }
  const auto weight = [](const Diagnosed& one) { return one.finding.weight; };
  std::ranges::stable_sort(analysis.found, std::greater<>{}, weight);
  return analysis;
}

}  // namespace tpulab
