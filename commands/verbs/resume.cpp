// resume: lets a paused run go on.
#include "commands/ask.h"

namespace tpulab {

namespace {

Reply resume(Arguments, CommandContext& context) {
  const bool active = run_is_active(context);
  if (active) check_ends(context, context.settings);
  if (!context.interactive && active) return train(context, ResumeRun{});
  post(context, ResumeRun{});
  Reply reply;
  reply.lines.emplace_back(active ? "the run goes on" : "no run is paused; `run` starts one");
  reply.fields = run_fields(context);
  return reply;
}

}  // namespace

extern const Command resume_command;
const Command resume_command{
    "resume",
    "resume",
    "Let a paused run go on.",
    "In a script it returns when the run has ended, as `run` does.",
    resume,
};

}  // namespace tpulab
