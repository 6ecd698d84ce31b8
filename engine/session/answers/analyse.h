// A metrics report from elsewhere, under the same diagnoses as a run here, as far as its counters
// tell.
#pragma once

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

struct ReportAnalysis {
  MetricsReport report;
  ReportFacts facts;
  std::vector<Diagnosed> found;        // what may take most of the time first
  std::vector<Diagnosed> cannot_tell;  // with the reason in `inferred`
};

// `name` is that of the file. Throws Error for text that is no report.
ReportAnalysis analysis_of(std::string_view text, const std::string& name);

}  // namespace tpulab
