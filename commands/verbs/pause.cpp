// pause: holds the run between two steps.
#include "commands/ask.h"
#include "engine/base/error.h"

namespace tpulab::pause_command {

namespace {

Reply pause(Arguments, CommandContext& context) {
  if (!run_is_active(context)) throw Error("no run is under way; `run` starts one");
  post(context, PauseRun{});
  if (!context.interactive) wait_until_idle(context);
  Reply reply;
  reply.lines.emplace_back("the run pauses after its current step; `resume` goes on");
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
