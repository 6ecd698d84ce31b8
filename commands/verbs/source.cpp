// source: the commands of a file, as if they were typed here.
#include <fmt/format.h>

#include "commands/command.h"
#include "commands/sourced.h"
#include "commands/words.h"
#include "engine/base/error.h"

namespace tpulab::source_command {

namespace {

Reply source(Arguments arguments, CommandContext&) {
  if (arguments.size() != 1) throw Error("source needs a file; usage: source FILE");
  const std::string file = file_named(arguments[0]);
  if (file.ends_with(".lesson")) {
    throw Error(fmt::format("a lesson is played: `lesson {}`", arguments[0]));
  }
  Reply reply;
  reply.change.commands = sourced(file);
  return reply;
}

}  // namespace

extern const Command row;
const Command row{
    "source",
    "source FILE",
    "Run the commands of a file, as if they were typed here.",
    "One or more a line, # begins a comment. A file may source others, 16 deep; if one of them "
    "cannot be read, nothing is run. A command that fails is named with its file and line, and the "
    "rest is not run. At the prompt `wait` in it holds what follows.",
    source,
};

}  // namespace tpulab::source_command
