// stop: ends the run after its current step.
#include <fmt/format.h>

#include "commands/ask.h"
#include "engine/base/error.h"

namespace tpulab::stop_command {

namespace {

Reply stop(Arguments, CommandContext& context) {
  Reply reply;
  if (context.engine.cancel_aside()) {
    reply.lines.emplace_back(
        "the answer being worked out is cancelled; a second `stop` is for the run");
    return reply;
  }
  if (run_is_active(context)) {
    post(context, StopRun{});
    if (!context.interactive) wait_until_idle(context);
    reply.lines.emplace_back("the run ends after its current step");
  } else {
    const RunView run = context.engine.latest()->run;
    if (run.state == RunState::none) {
      throw Error(context.lesson ? "no run is under way; `lesson stop` ends the lesson"
                                 : "no run is under way; `run` starts one");
    }
    reply.lines.push_back(fmt::format("run {} has ended already", run.number));
  }
  reply.fields = run_fields(context);
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "stop",
    "stop",
    "End the run after its current step, or cancel an answer.",
    "If a sweep or another long answer is being worked out, that is cancelled and the run goes on. "
    "The weights and the picture of the run stay on the screen until the next run. Ctrl-C "
    "on an empty line does the same. Behind a run that has ended it changes nothing.",
    stop,
};

}  // namespace tpulab::stop_command
