// clear: empties the output pane.
#include "commands/command.h"

namespace tpulab::clear_command {

namespace {

Reply clear(Arguments, CommandContext&) {
  Reply reply;
  reply.change.clear_output = true;
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "clear",
    "clear",
    "Empty the output pane.",
    "Only what is shown goes; the run, its counters and the history of commands stay.",
    clear,
};

}  // namespace tpulab::clear_command
