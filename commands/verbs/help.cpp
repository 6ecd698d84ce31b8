// help: the pages of help.
#include "commands/help.h"

#include "commands/command.h"
#include "engine/base/error.h"

namespace tpulab {

namespace {

Reply help(Arguments arguments, CommandContext&) {
  if (arguments.size() > 1) throw Error("help takes one topic; usage: help [TOPIC]");
  const std::string topic = arguments.empty() ? std::string() : arguments.front();
  Reply reply;
  reply.lines = help_page(topic);
  reply.rows = help_rows(topic);
  reply.fields = {{"topic", topic}, {"pages", static_cast<std::int64_t>(reply.rows.size())}};
  reply.change.help_topic = topic;
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  return before.empty() ? help_topics() : std::vector<std::string>();
}

}  // namespace

extern const Command help_command;
const Command help_command{
    "help", "help [TOPIC]", "Explain a command, a setting or an idea; alone, list all pages.",
    "",     help,           complete,
};

}  // namespace tpulab
