// load: the settings of a file that `save` has written.
#include <fmt/format.h>

#include "commands/ask.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/session/settings_file.h"

namespace tpulab {

namespace {

Reply load(Arguments arguments, CommandContext& context) {
  if (arguments.size() != 1) throw Error("load needs a file; usage: load FILE.toml");
  const std::string file = file_named(arguments[0]);
  const Settings wanted = settings_of_text(read_file(file), file);
  std::vector<Assignment> changes = changes_between(context.settings, wanted);
  if (changes.empty()) {
    Reply reply;
    reply.lines.push_back(fmt::format("{}: the settings are as it says already", file));
    return reply;
  }
  return set_all(context, std::move(changes));
}

}  // namespace

extern const Command load_command;
const Command load_command{
    "load",
    "load FILE.toml",
    "Set everything as a file says that `save` has written.",
    "What does not stand in it becomes as built in. If anything in it is wrong, the file and line "
    "are named and all settings stay as they are.",
    load,
};

}  // namespace tpulab
