// forecast: what a run with the settings would take, without running it.
#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/candidates.h"
#include "commands/estimate_words.h"
#include "commands/what_fits.h"

namespace tpulab::forecast_command {

namespace {

constexpr std::string_view usage = "forecast [NAME=VALUE ...]";

Reply forecast(Arguments arguments, CommandContext& context) {
  Settings settings = context.settings;
  const std::vector<Assignment> changes = assignments_of(arguments, usage);
  const Estimate estimated = asked_in_line("forecast", context.settings, changes, [&] {
    change_all(settings, changes);
    return estimate(settings);
  });
  Answer lines;
  add_lines(lines, lines_of(settings, estimated));
  add_lines(lines, without_effect(settings, changes));
  add_fields(lines, fields_of(settings, estimated));
  add_parts(lines, estimated);
  return reply_of(lines);
}

std::vector<std::string> complete(Arguments, const CommandContext& context) {
  return assignment_candidates(context.settings);
}

}  // namespace

extern const Command row;
const Command row{
    "forecast",
    usage,
    "Estimate a run at once: step, rate, bound, memory, the whole run, dollars.",
    "Values given here (forecast slice=v3-32 batch=128) hold for this answer only. The step comes "
    "with its band, the held-out error of its class, and the nearest measured point. The "
    "run is the whole of it, from a cold start to the limit of the settings, with its compiles, "
    "evaluations and reads. No tensor is computed. "
    "`explain` unfolds the estimate, `whatif` and `compare` set estimates side by side.",
    forecast,
    complete,
};

}  // namespace tpulab::forecast_command
