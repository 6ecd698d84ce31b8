// reproduce: the line for a shell that does the newest run again.
#include <fmt/format.h>

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
  const RunView& run = now->run;
  const std::string line = newest ? repeat_line(run, newest->settings, context.defaults)
                                  : repeat_line(context.settings, context.defaults);
  Answer answer;
  add_line(answer, line);
  if (newest && !not_repeated(run).empty()) add_line(answer, not_repeated(run));
  if (const std::int64_t from = newest ? newest->curves.from_step : 0; from > 0) {
    add_line(answer, fmt::format("the run went on from a checkpoint behind step {}: type `resume` "
                                 "and its file in place of `run`",
                                 from));
  }
  add_fields(answer, {{"line", line}, {"of_a_run", newest.has_value()}});
  return reply_of(answer);
}

}  // namespace

extern const Command row;
const Command row{
    "reproduce",
    "reproduce",
    "Print the line for a shell that does the newest run again.",
    "Every setting that is not as built in stands in it, so that it does the same elsewhere. "
    "Before the first run it is the line of the next one.",
    reproduce,
};

}  // namespace tpulab::reproduce_command
