// script: recorded steps of one's own PyTorch script, diagnosed.
#include <fmt/format.h>

#include "commands/answer.h"
#include "commands/command.h"
#include "commands/diagnosed_words.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/session/answers/script_analysis.h"

namespace tpulab::script_command {

namespace {

constexpr std::string_view usage = "script FILE";
constexpr std::size_t largest_recording_bytes = std::size_t{128} << 20;

void add_head(Answer& answer, const std::string& name, const ScriptAnalysis& analysis) {
  const ScriptFacts& facts = analysis.facts;
  const auto graphs = std::ssize(facts.graphs);
  add_line(answer, fmt::format("{}: {} of a script, PyTorch {} on {}; a step has {} and {}; {}",
                               name, count_with(facts.steps, "step"), analysis.script.torch,
                               analysis.script.device, count_with(facts.calls, "call"),
                               count_with(facts.cuts, "cut"),
                               graphs == 1 ? std::string("all steps are the same graph")
                                           : count_with(graphs, "different graph")));
  if (facts.on_cpu) {
    add_line(answer, "  recorded on the CPU: every tensor in a step is taken for the device's");
  }
  if (const std::int64_t rest = analysis.script.left_out; rest > 0) {
    add_line(answer, fmt::format("  {} behind the last step that ended: left out",
                                 count_with(rest, "call")));
  }
  for (const ScriptGraph& graph : facts.graphs) {
    if (graph.kind != GraphKind::start) continue;
    add_line(answer, fmt::format("  the first step is a graph of its own{}: {}",
                                 graph.by_optimizer ? ", as the optimizer makes its state" : "",
                                 graph.difference));
  }
  add_fields(answer, {{"file", name},
                      {"steps", facts.steps},
                      {"calls", facts.calls},
                      {"cuts", facts.cuts},
                      {"graphs", graphs},
                      {"left_out", analysis.script.left_out}});
}

Reply script(Arguments arguments, CommandContext&) {
  if (arguments.size() != 1) {
    throw Error(
        fmt::format("script takes one file, that of the recorder of `help script`; "
                    "usage: {}",
                    usage));
  }
  const std::string file = file_named(arguments.front());
  const ScriptAnalysis analysis =
      script_analysis_of(read_file(file, largest_recording_bytes), file);
  Answer answer;
  add_head(answer, file, analysis);
  if (analysis.found.empty()) add_line(answer, "nothing is wrong as far as these calls tell");
  add_diagnosed(answer, "script", analysis.found, analysis.cannot_tell);
  return reply_of(answer);
}

}  // namespace

extern const Command row;
const Command row{
    "script",
    usage,
    "Diagnose recorded steps of your own PyTorch script: cuts, reads, fallbacks, shapes, uploads.",
    "What was called is certain; what follows from it on PyTorch/XLA is marked as inferred; what "
    "calls without times do not tell is said.",
    script,
};

}  // namespace tpulab::script_command
