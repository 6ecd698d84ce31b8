// sweep: every combination of the values given.
#include "commands/candidates.h"
#include "commands/option_table.h"
#include "engine/base/error.h"

namespace tpulab {

namespace {

constexpr std::string_view usage = "sweep NAME=V1,V2,... ...";

Reply sweep(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) throw Error(std::string("sweep needs values; usage: ") + usage.data());
  return compare_options(arguments, "sweep", usage, context);
}

std::vector<std::string> complete(Arguments, const CommandContext& context) {
  return assignment_candidates(context.settings);
}

}  // namespace

extern const Command sweep_command;
const Command sweep_command{
    "sweep",
    usage,
    "Estimate every combination of the values given.",
    "sweep slice=v3-8,v3-32,v3-128 batch.global=4096 answers one row a combination; a combination "
    "that cannot be is told with its reason. format csv gives raw numbers with units in their "
    "names, --json one object a row. At the prompt the answer comes with bars, while the run goes "
    "on; `stop` or Ctrl-C cancels it.",
    sweep,
    complete,
};

}  // namespace tpulab
