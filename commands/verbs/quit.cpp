// quit: leaves the program.
#include "commands/command.h"

namespace tpulab::quit_command {

namespace {

Reply quit(Arguments, CommandContext&) {
  Reply reply;
  reply.change.quit = true;
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "quit",
    "quit",
    "Leave the program; a run under way ends at once, without its unfinished step.",
    "Ctrl-D on an empty line does the same. In a script the lines that follow are not run.",
    quit,
};

}  // namespace tpulab::quit_command
