// run: starts a run, for this time with other values if some are given.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "commands/ask.h"
#include "commands/candidates.h"
#include "commands/estimate_words.h"
#include "commands/newest_advice.h"
#include "commands/what_fits.h"
#include "engine/base/error.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/memory_check.h"

namespace tpulab::run_command {

namespace {

// The engine would refuse it too, in words for the prompt.
bool asks_memory(const Settings& settings) {
  return !on_gpus(settings) && !(is_named(settings) && settings.numbers);
}

Reply run(Arguments arguments, CommandContext& context) {
  const auto assignments = assignments_of(arguments, "run [NAME=VALUE ...]");
  Settings settings = context.settings;
  asked_in_line("run", context.settings, assignments, [&] {
    change_all(settings, assignments);
    if (asks_memory(settings)) check_memory(settings);
    return true;
  });
  check_ends(context, settings);
  const bool replaces = run_is_active(context);
  const StartRun start{
      .settings = settings,
      .prediction = context.advice ? context.advice->expected(settings) : std::nullopt,
      .keeps_quiet = !context.hidden.empty()};
  if (!assignments.empty()) context.run_aside = {context.settings, settings};
  Reply reply;
  if (context.interactive) {
    post(context, start);
    if (replaces) reply.lines.emplace_back("the run under way ends as soon as the new one starts");
  } else {
    reply = train(context, start);
  }
  if (!assignments.empty()) reply.lines.push_back("for this run only: " + joined(assignments));
  std::ranges::move(without_effect(settings, assignments), std::back_inserter(reply.lines));
  return reply;
}

std::vector<std::string> complete(Arguments, const CommandContext& context) {
  return assignment_candidates(context.settings);
}

}  // namespace

extern const Command row;
const Command row{
    "run",
    "run [NAME=VALUE ...]",
    "Start a run with the settings as they are.",
    "Values given here (run max_steps=50 batch=64) hold for this run only. At the prompt the "
    "command returns at once; in a script, in -c and on standard input it returns when the run "
    "has ended. A run that is under way ends first. `fit` and `trainer.fit(model)` do the same.",
    run,
    complete,
};

}  // namespace tpulab::run_command
