#include "engine/session/answers/script_analysis.h"

#include "engine/formats/script_reader.h"

namespace tpulab {

ScriptAnalysis script_analysis_of(std::string_view text, const std::string& name) {
  ScriptAnalysis analysis{
      .script = read_script(text, name), .facts = {}, .found = {}, .cannot_tell = {}};
  analysis.facts = facts_of(analysis.script);
  sort_out(
      [&](const Diagnosis& cause) {
        return cause.in_script != nullptr
                   ? cause.in_script(analysis.facts)
                   : cannot_tell("a recording has no times, no machine, and nothing between steps");
      },
      analysis.found, analysis.cannot_tell);
  return analysis;
}

}  // namespace tpulab
