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
  const Settings now = context.settings;
  Settings then = now;
  const std::vector<Assignment> changes = assignments_of(arguments, usage);
  asked_in_line("forecast", now, changes, [&] { return change_all(then, changes); });
  return answer(context, "forecast", [now, then, changes](const std::stop_token& stop) {
    const Estimate estimated =
        asked_in_line("forecast", now, changes, [&] { return estimate(then, stop); });
    Answer lines;
    add_lines(lines, lines_of(then, estimated));
    add_lines(lines, without_effect(then, changes));
    add_fields(lines, fields_of(then, estimated));
    add_parts(lines, estimated);
    return lines;
  });
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
