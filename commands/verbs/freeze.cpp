// freeze: holds the figures of the screen still.
#include "commands/command.h"
#include "engine/base/error.h"

namespace tpulab::freeze_command {

namespace {

constexpr const char* usage = "freeze [on|off]";

Reply freeze(Arguments arguments, CommandContext& context) {
  if (context.theme_names.empty()) {
    throw Error("there is no screen here whose figures could stand still; leave the command out");
  }
  const std::string word = arguments.empty() ? "on" : arguments.front();
  if (arguments.size() > 1 || (word != "on" && word != "off")) {
    throw Error(std::string("freeze takes on or off; usage: ") + usage);
  }
  Reply reply;
  reply.change.freeze = word == "on";
  reply.lines.emplace_back(word == "on" ? "the figures stand still; `freeze off` lets them go on"
                                        : "the figures go on");
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  return before.empty() ? std::vector<std::string>{"off", "on"} : std::vector<std::string>();
}

}  // namespace

extern const Command row;
const Command row{
    "freeze",
    usage,
    "Hold the figures of the screen still.",
    "The run goes on, and so does the output; the status line says `frozen`. `freeze off` shows "
    "the newest again. In the panes f does both.",
    freeze,
    complete,
};

}  // namespace tpulab::freeze_command
