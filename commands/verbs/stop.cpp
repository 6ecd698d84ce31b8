// stop: ends the run after its current step.
#include "commands/ask.h"

namespace tpulab::stop_command {

namespace {

Reply stop(Arguments, CommandContext& context) {
  Reply reply;
  if (context.engine.cancel_aside()) {
    reply.lines.emplace_back(
        "the answer being worked out is cancelled; a second `stop` is for the run");
    return reply;
  }
  const bool active = run_is_active(context);
  if (active) post(context, StopRun{});
  if (active && !context.interactive) wait_until_idle(context);
  const char* const none =
      context.lesson ? "no run is under way; `lesson stop` ends the lesson" : "no run is under way";
  reply.lines.emplace_back(active ? "the run ends after its current step" : none);
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
    "on an empty line does the same.",
    stop,
};

}  // namespace tpulab::stop_command
