// load: the settings of a file that `save` has written.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "commands/ask.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/xdg.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab::load_command {

namespace {

// What the program leaves behind when a session that has changed settings ends.
std::string last_settings() {
  const auto folder = user_state_folder();
  std::error_code unknown;
  if (folder && std::filesystem::exists(*folder / settings_of_last_session, unknown)) {
    return (*folder / settings_of_last_session).string();
  }
  throw Error("no earlier session has left settings behind; `runs` may have a run with them");
}

Reply load(Arguments arguments, CommandContext& context) {
  if (arguments.size() != 1) throw Error("load needs a file; usage: load FILE.toml | last");
  const std::string file = arguments[0] == "last" ? last_settings() : file_named(arguments[0]);
  const Settings wanted = settings_of_text(read_file(file), file);
  std::vector<Assignment> changes = changes_between(context.settings, wanted);
  if (changes.empty()) {
    Reply reply;
    reply.lines.push_back(fmt::format("{}: the settings are as it says already", file));
    return reply;
  }
  return set_all(context, std::move(changes));
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  if (before.empty()) return {"last"};
  return {};
}

}  // namespace

extern const Command row;
const Command row{
    "load",
    "load FILE.toml | last",
    "Set everything as a file says that `save` has written.",
    "What does not stand in it becomes as built in. If anything in it is wrong, the file and line "
    "are named and all settings stay as they are. load last sets what the newest session ended "
    "with that had changed any setting, unless its history was off.",
    load,
    complete,
};

}  // namespace tpulab::load_command
