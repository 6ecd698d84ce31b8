// save: the settings as a file that `load` reads.
#include <fmt/format.h>

#include <fstream>
#include <string>

#include "commands/answer.h"
#include "commands/ask.h"
#include "commands/command.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab::save_command {

namespace {

// Somebody else's pyproject.toml is not replaced.
void check_holds_settings(const std::string& file) {
  std::ifstream there(file);
  std::string first;
  if (!there || !std::getline(there, first) || first.starts_with("# Settings of tpulab")) return;
  throw Error(
      fmt::format("{} is there already and was not written by `save`; name another file", file));
}

Reply save(Arguments arguments, CommandContext& context) {
  check_tells_nothing_hidden(context);
  if (arguments.size() != 1) throw Error("save needs a file; usage: save FILE.toml");
  const std::string file = file_named(arguments[0]);
  if (!file.ends_with(".toml")) throw Error("`save` writes a .toml file; name one");
  check_holds_settings(file);
  write_file(file, text_of_settings(context.settings));
  const auto settings = std::ssize(changes_between({}, context.settings));
  Answer answer;
  add_line(answer, fmt::format("{}: {} not as built in; `load {}` sets them again", file,
                               count_with(settings, "setting"), arguments[0]));
  add_fields(answer, {{"file", file}, {"settings", std::int64_t{settings}}});
  return reply_of(answer);
}

}  // namespace

extern const Command row;
const Command row{
    "save",
    "save FILE.toml",
    "Write the settings as a file that `load` reads.",
    "It holds the settings that are not as built in, as config.toml spells them. One that "
    "`save` has written is replaced whole, any other stays.",
    save,
};

}  // namespace tpulab::save_command
