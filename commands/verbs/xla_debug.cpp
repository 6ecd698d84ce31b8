// xla_debug: what PT_XLA_DEBUG prints of the newest run.
#include "engine/session/answers/xla_debug.h"

#include <fmt/format.h>

#include <limits>

#include "commands/command.h"
#include "engine/base/error.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab::xla_debug_command {

namespace {

constexpr std::string_view usage = "xla_debug [STEPS]";

std::int64_t steps_of(Arguments arguments) {
  if (arguments.empty()) return std::numeric_limits<std::int64_t>::max();
  const auto steps = whole_number(arguments.front());
  if (arguments.size() == 1 && steps && *steps > 0) return *steps;
  throw Error(fmt::format("xla_debug takes a whole number of steps from 1; usage: {}", usage));
}

Reply xla_debug(Arguments arguments, CommandContext& context) {
  const std::int64_t most = steps_of(arguments);
  const auto run = context.engine.newest_evidence();
  if (!run || run->records.empty()) throw Error("nothing has run yet; `run` starts a run");
  Reply reply;
  reply.lines = xla_debug_of(*run, most);
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "xla_debug",
    usage,
    "Print what PT_XLA_DEBUG=1 prints of the newest run.",
    "For each compile and each execution its cause, graph and frame, and behind each sync the "
    "complaints of pt-xla-profiler, from what the run recorded; xla_debug 5 prints the newest five "
    "steps alone. The head says what of the real output is not known here. The real tool tells "
    "neither why a graph is new nor what it costs: `explain` and `advise` do. `analyse` reads it "
    "back, and that of a real TPU: tpulab -c \"run; xla_debug\" > log.txt, then analyse log.txt.",
    xla_debug,
};

}  // namespace tpulab::xla_debug_command
