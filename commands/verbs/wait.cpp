// wait: holds what follows back until no run is training.
#include "commands/ask.h"

namespace tpulab::wait_command {

namespace {

Reply wait(Arguments, CommandContext& context) {
  Reply reply;
  if (context.interactive) {
    reply.change.wait = true;
  } else {
    wait_until_idle(context);
  }
  reply.fields = run_fields(context);
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "wait",
    "wait",
    "Hold the commands that follow until no run is training.",
    "A paused run counts as not training. At the prompt the screen goes on and only the commands "
    "behind `wait` are held; Ctrl-C drops them.",
    wait,
};

}  // namespace tpulab::wait_command
