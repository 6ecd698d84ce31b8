// A metrics report from elsewhere, or what PT_XLA_DEBUG printed, under the same diagnoses as a run
// here, as far as its counters tell.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/advice/diagnosis.h"
#include "engine/advice/report_facts.h"
#include "engine/formats/report_reader.h"

namespace tpulab {

struct Diagnosed {
  const Diagnosis* cause = nullptr;
  Finding finding;
};

// Asks `look` about every cause; what is found goes into the lists, what may take most of the time
// first.
void sort_out(const std::function<Finding(const Diagnosis&)>& look, std::vector<Diagnosed>& found,
              std::vector<Diagnosed>& cannot_tell);

struct ReportAnalysis {
  MetricsReport report;
  bool debug = false;  // of PT_XLA_DEBUG, which tells no times
  ReportFacts facts;
  std::vector<Diagnosed> found;        // what may take most of the time first
  std::vector<Diagnosed> cannot_tell;  // with the reason in `inferred`
};

// `name` is that of the file. Throws Error for text that is no report.
ReportAnalysis analysis_of(std::string_view text, const std::string& name);

}  // namespace tpulab
