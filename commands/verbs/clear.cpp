// clear: empties the output pane.
#include "commands/command.h"

namespace tpulab {

namespace {

Reply clear(Arguments, CommandContext&) {
  Reply reply;
  reply.change.clear_output = true;
  return reply;
}

}  // namespace

extern const Command clear_command;
const Command clear_command{
    "clear",
    "clear",
    "Empty the output pane.",
    "Only what is shown goes; the run, its counters and the history of commands stay.",
    clear,
};

}  // namespace tpulab
