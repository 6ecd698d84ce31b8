// theme: changes the colours of the screen.
#include <fmt/format.h>

#include <algorithm>

#include "commands/command.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab::theme_command {

namespace {

Reply theme(Arguments arguments, CommandContext& context) {
  const auto& names = context.theme_names;
  if (names.empty()) throw Error("there is no screen here, so no theme; leave the command out");
  if (arguments.size() != 1) {
    throw Error(fmt::format("theme takes one of: {}; usage: theme NAME", fmt::join(names, ", ")));
  }
  const std::string& name = arguments.front();
  if (std::ranges::find(names, name) == names.end()) {
    throw Error(fmt::format("unknown theme '{}'; {}there are: {}", name, hint_of(name, names),
                            fmt::join(names, ", ")));
  }
  Reply reply;
  reply.change.theme = name;
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext& context) {
  return before.empty() ? context.theme_names : std::vector<std::string>();
}

}  // namespace

extern const Command row;
const Command row{
    "theme",
    "theme NAME",
    "Change the colours.",
    "auto is dark or light, as the terminal says its background is; Tab behind `theme ` lists the "
    "others. What is chosen holds in later sessions too, but with --no-history. "
    "Own themes are files NAME.toml in $XDG_CONFIG_HOME/tpulab/themes (~/.config/tpulab/themes).",
    theme,
    complete,
};

}  // namespace tpulab::theme_command
