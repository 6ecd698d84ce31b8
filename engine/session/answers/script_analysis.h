// A recording of somebody's own steps, under the same diagnoses as a run here, as far as calls
// without times tell.
#pragma once

#include "engine/advice/script_facts.h"
#include "engine/session/answers/analyse.h"

namespace tpulab {

struct ScriptAnalysis {
  ScriptSteps script;
  ScriptFacts facts;
  std::vector<Diagnosed> found;        // what may take most of the time first
  std::vector<Diagnosed> cannot_tell;  // with the reason in `inferred`
};

// `name` is that of the file. Throws Error for text that is no recording.
ScriptAnalysis script_analysis_of(std::string_view text, const std::string& name);

}  // namespace tpulab
