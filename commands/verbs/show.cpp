// show: what is set, and what it comes to.
#include <fmt/format.h>

#include <algorithm>

#include "commands/ask.h"
#include "commands/candidates.h"
#include "engine/base/error.h"
#include "engine/session/gpu_row_words.h"
#include "engine/session/lightning_rules.h"
#include "engine/session/machine_words.h"
#include "engine/session/software_words.h"

namespace tpulab {

namespace {

constexpr std::string_view usage = "show [NAME | all | slice NAME | generation NAME | gpus]";

std::string when_changed(const SettingRow& row) {
  return fmt::format("{}{}", row.effect == Effect::recompile ? "when changed " : "a change ",
                     words_of(row.effect));
}

std::vector<std::string> one_setting(const SettingRow& row, const Settings& settings) {
  std::string first = fmt::format("{} {}", row.name, row.show(settings));
  if (row.meaning) first += ": " + row.meaning(settings);
  return {first, fmt::format("  {}", row.help),
          fmt::format("  takes {}; {}", row.values, when_changed(row))};
}

std::string line_of(const SettingRow& row, const Settings& settings) {
  return fmt::format("  {:<19} {:<14} {}", row.name, row.show(settings), when_changed(row));
}

std::vector<std::string> all_settings(const Settings& settings) {
  std::vector<std::string> lines;
  for (const SettingRow& row : setting_rows()) lines.push_back(line_of(row, settings));
  return lines;
}

std::vector<std::string> what_differs(const Settings& settings) {
  std::vector<std::string> lines{
      "the next run: " + run_in_words(settings),
      "on slice " + settings.slice + ": " + setting_named("slice").meaning(settings)};
  const Settings defaults;
  for (const SettingRow& row : setting_rows()) {
    const bool derived = row.name == "batch.global";
    if (derived || row.show(settings) == row.show(defaults)) continue;
    lines.push_back(
        fmt::format("  {:<19} {} (default {})", row.name, row.show(settings), row.show(defaults)));
  }
  if (lines.size() == 2) lines.emplace_back("all settings have their defaults; `show all`");
  return lines;
}

// Of a name, or of the slice that is set.
Reply generation(Arguments arguments, CommandContext& context) {
  if (arguments.size() > 2) throw Error("show generation takes one name, such as v3");
  const std::string name =
      arguments.size() == 2 ? arguments[1] : generation_of_slice(context.settings.slice);
  Reply reply;
  reply.lines = generation_in_words(name);
  return reply;
}

// A machine, a host or a stack; empty for another word.
std::vector<std::string> described(const std::string& what, const std::string& name) {
  if (what == "slice") return slice_in_words(name);
  if (what == "host") return host_in_words(name);
  if (what == "stack") return stack_in_words(name);
  return {};
}

Reply show(Arguments arguments, CommandContext& context) {
  Reply reply;
  if (arguments.size() == 2) {
    reply.lines = described(arguments[0], arguments[1]);
    if (!reply.lines.empty()) return reply;
  }
  if (!arguments.empty() && arguments.front() == "generation")
    return generation(arguments, context);
  if (arguments.size() > 1) throw Error(fmt::format("show takes one name; usage: {}", usage));
  const Settings& settings = context.settings;
  if (arguments.empty()) {
    reply.lines = what_differs(settings);
  } else if (arguments.front() == "gpus") {
    reply.lines = published_gpus_in_words();
  } else if (arguments.front() == "all") {
    reply.lines = all_settings(settings);
  } else {
    reply.lines = one_setting(setting_named(arguments.front()), settings);
  }
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext& context) {
  const bool described_too =
      !before.empty() &&
      (before.front() == "slice" || before.front() == "host" || before.front() == "stack");
  if (before.size() == 1 && described_too) {
    return value_candidates(before.front(), context.settings);
  }
  if (before.size() == 1 && before.front() == "generation") return generation_names();
  if (!before.empty()) return {};
  std::vector<std::string> names = setting_names();
  names.emplace_back("all");
  names.emplace_back("generation");
  names.emplace_back("gpus");
  return names;
}

}  // namespace

extern const Command show_command;
const Command show_command{
    "show",
    usage,
    "Show a setting; without a name what the next run is and what differs from the defaults.",
    "`show slice v3-2048` describes any slice, `show generation v3`, `show host tpu-vm` and `show "
    "stack jax` list constants with mark and source, `show gpus` every published figure of GPUs "
    "beside TPU boards, `show all` every "
    "setting. A setting's name alone shows it too.",
    show,
    complete,
};

}  // namespace tpulab
