// reset: forgets what has happened, or puts the settings back.
#include <fmt/format.h>

#include "commands/ask.h"
#include "commands/candidates.h"
#include "engine/base/error.h"

namespace tpulab::reset_command {

namespace {

constexpr std::string_view usage = "reset [settings | NAME]";

Reply reset(Arguments arguments, CommandContext& context) {
  Reply reply;
  if (!arguments.empty()) {
    const SettingRow* const one = find_setting(arguments.front());
    if (arguments.size() == 1 && one != nullptr) {
      return set_all(context, {{std::string(one->name), one->show(context.defaults)}});
    }
    if (arguments.size() > 1 || arguments.front() != "settings") {
      throw Error(fmt::format("reset does not know '{}'; usage: {}", arguments.front(), usage));
    }
    std::string pace = std::move(context.settings.pace);
    context.settings = context.defaults;
    context.settings.pace = std::move(pace);  // how fast to watch is no part of the experiment
    reply.lines.emplace_back("all settings but pace are back at their defaults for the next run");
    for (const SettingRow& row : setting_rows()) {
      reply.fields.push_back(field_of(row, context.settings));
    }
    return reply;
  }
  post(context, Reset{});
  if (!context.interactive) wait_until_idle(context);
  reply.lines.emplace_back(
      "the run, its counters and the program cache are forgotten; the settings stay");
  reply.fields = run_fields(context);
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  if (!before.empty()) return {};
  std::vector<std::string> names = setting_names();
  names.emplace_back("settings");
  return names;
}

}  // namespace

extern const Command row;
const Command row{
    "reset",
    usage,
    "Forget the run, the counters and the program cache.",
    "After it the first step compiles again, as in a new process. `reset settings` puts every "
    "setting but pace back to its default instead, `reset batch` that one.",
    reset,
    complete,
};

}  // namespace tpulab::reset_command
