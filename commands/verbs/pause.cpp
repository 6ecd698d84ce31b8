// pause: holds the run between two steps.
#include "commands/ask.h"

namespace tpulab::pause_command {

namespace {

Reply pause(Arguments, CommandContext& context) {
  const bool active = run_is_active(context);
  if (active) post(context, PauseRun{});
  if (active && !context.interactive) wait_until_idle(context);
  Reply reply;
  reply.lines.emplace_back(active ? "the run pauses after its current step; `resume` goes on"
                                  : "no run is under way");
  reply.fields = run_fields(context);
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "pause",
    "pause",
    "Hold the run after its current step.",
    "Neither clock runs while a run is paused. `step` trains single steps, `resume` goes on.",
    pause,
};

}  // namespace tpulab::pause_command
