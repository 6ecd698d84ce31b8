// reproduce: the line for a shell that does the newest run again.
#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/command.h"
#include "commands/repeat_line.h"

namespace tpulab::reproduce_command {

namespace {

Reply reproduce(Arguments, CommandContext& context) {
  check_tells_nothing_hidden(context);
  const std::optional<RunEvidence> newest = context.engine.newest_evidence();
  const std::shared_ptr<const Snapshot> now = context.engine.latest();
  std::vector<std::string> lines{repeat_line(context.settings, context.defaults)};
  if (newest) {
    lines = repeat_lines(now->run, newest->settings, context.defaults);
  } else {
    for (std::string& line : needed_elsewhere(context.settings)) lines.push_back(std::move(line));
  }
  Answer answer;
  add_lines(answer, lines);
  add_fields(answer, {{"line", lines.front()}, {"of_a_run", newest.has_value()}});
  return reply_of(answer);
}

}  // namespace

extern const Command row;
const Command row{
    "reproduce",
    "reproduce",
    "Print the line for a shell that does the newest run again.",
    "Every setting that is not as built in stands in it, so that it does the same elsewhere, "
    "where the file of a machine of your own must be, too. "
    "Before the first run it is the line of the next one.",
    reproduce,
};

}  // namespace tpulab::reproduce_command
