// compare: several options side by side, or the last two runs.
#include <fmt/format.h>

#include "commands/candidates.h"
#include "commands/option_table.h"
#include "commands/run_comparison.h"
#include "engine/base/error.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab::compare_command {

namespace {

constexpr std::string_view usage = "compare NAME=V1,V2 ... | last [ACCURACY]";

// "last 0.9"
double target_of(const std::string& word) {
  const auto target = real_number(word);
  if (target && *target > 0 && *target <= 1) return *target;
  throw Error(fmt::format("compare last takes a test accuracy above 0, up to 1, not {}", word));
}

Reply compare_last(std::optional<double> target, CommandContext& context) {
  const std::vector<RunRecord> runs = context.engine.ended_runs();
  if (runs.size() < 2) {
    throw Error(runs.empty() ? "compare last needs two runs that have ended; there is none yet"
                             : "compare last needs two runs that have ended; there is one so far");
  }
  Reply reply = reply_of(compare_runs(runs[runs.size() - 2], runs.back(),
                                      context.settings.format == "csv", "run", target));
  reply.change.compared = runs.back().view.number;
  return reply;
}

Reply compare(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) throw Error(std::string("compare needs options; usage: ") + usage.data());
  if (arguments.front() == "last" && arguments.size() <= 2) {
    std::optional<double> target;
    if (arguments.size() == 2) target = target_of(arguments[1]);
    return compare_last(target, context);
  }
  return compare_options(arguments, {}, "compare", usage, context);
}

std::vector<std::string> complete(Arguments before, const CommandContext& context) {
  std::vector<std::string> candidates = assignment_candidates(context.settings);
  if (before.empty()) candidates.emplace_back("last");
  return candidates;
}

}  // namespace

extern const Command row;
const Command row{
    "compare",
    usage,
    "Set options side by side, or the last two runs.",
    "compare slice=v2-8,v3-8 batch=32,128 estimates every combination, one row each, with its band "
    "and the nearest measured point; what their bands do not tell apart is called not "
    "distinguishable. A slice may stand alone: compare v2-8 v3-8. It may name GPUs: compare v3-8 "
    "v100x8 model=resnet50 says how many V100s one board is (`help gpus`). compare last sets the "
    "last two runs that have ended side by side, phase by phase, both as from a cold start, and "
    "says which found programs compiled; with the TPU time to the accuracy that both reached, or "
    "to the one given: compare last 0.9. The dashboard shows both as strips on one scale, too "
    "(b in its panes). format csv gives raw numbers, "
    "--json one object a row. At the prompt the answer comes "
    "while the run goes on; `stop` or Ctrl-C cancels it.",
    compare,
    complete,
};

}  // namespace tpulab::compare_command
