// help: the pages of help.
#include "commands/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/command.h"
#include "commands/glossary.h"
#include "commands/help_search.h"
#include "commands/wrapped.h"

namespace tpulab::help_command {

namespace {

Reply help(Arguments arguments, CommandContext& context) {
  const std::string topic = topic_of_question(fmt::format("{}", fmt::join(arguments, " ")));
  Reply reply;
  reply.lines = reflowed(help_page(topic, context.defaults), page_columns_in(context.columns));
  if (const GlossaryWord* word = find_word(topic)) {
    std::string now = live_figure(*word, *context.engine.latest(), context.settings);
    if (!now.empty()) reply.lines.push_back(std::move(now));
  }
  reply.rows = help_rows(topic);
  reply.fields = {{"topic", topic}, {"pages", static_cast<std::int64_t>(reply.rows.size())}};
  reply.change.help_topic = topic;
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  if (!before.empty()) return {};
  std::vector<std::string> names = help_topics();
  for (const GlossaryWord& word : glossary()) names.push_back(word.name);
  return names;
}

}  // namespace

extern const Command row;
const Command row{
    "help",
    "help [TOPIC]",
    "Explain a command, a setting, an idea or any word; alone, list all pages.",
    "",
    help,
    complete,
};

}  // namespace tpulab::help_command
