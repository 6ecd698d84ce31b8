// set: changes a setting. The setting's name alone does the same: batch 64.

#include "commands/ask.h"
#include "commands/candidates.h"
#include "commands/words.h"
#include "engine/base/error.h"

namespace tpulab::set_command {

namespace {

// "batch 64", "batch = 64" and "batch=64 devices=1" alike.
std::vector<Assignment> read(Arguments arguments) {
  const std::string& first = arguments.front();
  if (!name_and_value(first).name.empty()) return assignments_of(arguments, "set NAME VALUE");
  std::string value;
  for (const std::string& word : arguments.subspan(1)) {
    value += (value.empty() ? "" : " ") + word;
  }
  if (value.starts_with('=')) value.erase(0, 1);
  const bool names_file = first == "data" || first == "model";
  if (names_file && value.starts_with("~/")) value = file_named(value);
  return {{first, value}};
}

Reply set(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) throw Error("set needs a name and a value; usage: set NAME VALUE");
  if (arguments.size() == 1 && name_and_value(arguments.front()).name.empty()) {
    return find_command("show")->run(arguments, context);
  }
  Reply reply = set_all(context, read(arguments));
  reply.only_sets = true;
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext& context) {
  if (before.empty()) return setting_names();
  if (before.size() > 1) return {};
  return value_candidates(before.front(), context.settings);
}

}  // namespace

extern const Command row;
const Command row{
    "set",
    "set NAME VALUE",
    "Change a setting; its name alone does the same: batch 64.",
    "Also NAME=VALUE, several at once: set batch=64 devices=1. Values that do not go together "
    "are refused together. The reply says what the value comes to and when it acts: at once, from "
    "the next step, with a recompile of the next step, or from the next run.",
    set,
    complete,
};

}  // namespace tpulab::set_command
