// show: what is set, and what it comes to.
#include <fmt/format.h>

#include <algorithm>

#include "commands/ask.h"
#include "commands/candidates.h"
#include "commands/tiles_words.h"
#include "engine/base/error.h"
#include "engine/session/answers/gpu_row_words.h"
#include "engine/session/answers/machine_words.h"
#include "engine/session/answers/software_words.h"
#include "engine/session/settings/no_effect.h"
#include "engine/session/settings/plan.h"

namespace tpulab::show_command {

namespace {

constexpr std::string_view usage =
    "show [NAME | all | slice NAME | generation NAME | tiles MxKxN | gpus]";

std::string when_changed(const SettingRow& row) {
  return fmt::format("{}{}", row.effect == Effect::recompile ? "when changed " : "a change ",
                     words_of(row.effect));
}

Reply one_setting(const SettingRow& row, const Settings& settings) {
  const std::string meaning = meaning_of(row, settings);
  Reply reply;
  reply.lines = {fmt::format("{} {}{}", row.name, row.show(settings),
                             meaning.empty() ? std::string() : ": " + meaning),
                 fmt::format("  {}", row.help),
                 fmt::format("  takes {}; {}", row.values, when_changed(row))};
  reply.fields = {field_of(row, settings),
                  {"meaning", meaning},
                  {"help", std::string(row.help)},
                  {"takes", std::string(row.values)},
                  {"effect", std::string(words_of(row.effect))}};
  return reply;
}

// While a lesson asks what is wrong, it does not say so itself.
bool is_hidden(const SettingRow& row, const CommandContext& context) {
  return std::ranges::find(context.hidden, row.name) != context.hidden.end();
}

std::string line_of(const SettingRow& row, const Settings& settings) {
  return fmt::format("  {:<23} {:<14} {}", row.name, row.show(settings), when_changed(row));
}

Reply all_settings(const Settings& settings, const CommandContext& context) {
  Reply reply;
  for (const SettingRow& row : setting_rows()) {
    if (is_hidden(row, context)) continue;
    reply.lines.push_back(line_of(row, settings));
    reply.fields.push_back(field_of(row, settings));
  }
  return reply;
}

Reply what_differs(const Settings& settings, const CommandContext& context) {
  const Settings& defaults = context.defaults;
  const std::string run = run_in_words(settings);
  const std::string slice = setting_named("slice").meaning(settings);
  Reply reply;
  reply.fields = {{"next_run", run}, {"slice_meaning", slice}};
  std::vector<std::string>& lines = reply.lines;
  const std::string model = is_named(settings) ? settings.model : model_title(settings);
  lines = {fmt::format("the next run: {}, {}", model, run),
           "on slice " + settings.slice + ": " + slice};
  for (const SettingRow& row : setting_rows()) {
    const bool derived = row.name == "batch.global";
    if (derived || row.show(settings) == row.show(defaults)) continue;
    if (is_hidden(row, context)) continue;
    lines.push_back(
        fmt::format("  {:<19} {} (default {})", row.name, row.show(settings), row.show(defaults)));
    reply.fields.push_back(field_of(row, settings));
  }
  if (lines.size() == 2) {
    Settings built_in;
    built_in.pace = defaults.pace;  // a terminal has its own
    lines.emplace_back(defaults == built_in
                           ? "all settings have their defaults; `show all`"
                           : "all settings are as the configuration has them; `show all`");
  }
  return reply;
}

Reply reply_of(Described described) {
  Reply reply;
  reply.lines = std::move(described.lines);
  reply.fields = std::move(described.fields);
  for (const NamedConstant& one : described.constants) {
    OutputLine& row = reply.rows.emplace_back();
    row.event = "constant";
    row.fields = {{"name", std::string(one.name)},
                  {"value", one.constant.value},
                  {"mark", std::string(name_of(one.constant.mark))},
                  {"source", std::string(one.constant.source)}};
  }
  return reply;
}

Reply all_gpus() {
  PublishedGpus gpus = published_gpus();
  Reply reply;
  reply.lines = std::move(gpus.lines);
  reply.rows = std::move(gpus.rows);
  reply.fields = {{"figures", static_cast<std::int64_t>(reply.rows.size())}};
  return reply;
}

// Of a name, or of the slice that is set.
Reply generation(Arguments arguments, CommandContext& context) {
  if (arguments.size() > 2) throw Error("show generation takes one name, such as v3");
  const std::string name =
      arguments.size() == 2 ? arguments[1] : generation_of_slice(context.settings.slice);
  return reply_of(generation_in_words(name));
}

// A machine, a host or a stack; none for another word.
std::optional<Described> described(const std::string& what, const std::string& name) {
  if (what == "slice") return slice_in_words(name);
  if (what == "host") return host_in_words(name);
  if (what == "stack") return stack_in_words(name);
  return std::nullopt;
}

Reply show(Arguments arguments, CommandContext& context) {
  if (arguments.size() == 2) {
    if (arguments[0] == "tiles") {
      return answer(
          context, "show tiles " + arguments[1],
          [settings = context.settings, sizes = arguments[1]](const std::stop_token& stop) {
            return tiles_answer(sizes, settings, stop);
          });
    }
    if (auto found = described(arguments[0], arguments[1])) return reply_of(std::move(*found));
  }
  if (!arguments.empty() && arguments.front() == "generation")
    return generation(arguments, context);
  if (arguments.size() > 1) throw Error(fmt::format("show takes one name; usage: {}", usage));
  const Settings& settings = context.settings;
  if (arguments.empty()) return what_differs(settings, context);
  if (arguments.front() == "gpus") return all_gpus();
  if (arguments.front() == "all") return all_settings(settings, context);
  const SettingRow& row = setting_named(arguments.front());
  if (is_hidden(row, context)) check_tells_nothing_hidden(context);
  return one_setting(row, settings);
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
  names.emplace_back("tiles");
  return names;
}

}  // namespace

extern const Command row;
const Command row{
    "show",
    usage,
    "Show a setting; without a name what the next run is and what differs from the defaults.",
    "`show slice v3-2048` describes any slice, `show generation v3`, `show host tpu-vm` and `show "
    "stack jax` list constants with mark and source, `show gpus` every published figure of GPUs "
    "beside TPU boards, `show tiles 8192x129x8192` how the matrix units pad a product, `show all` "
    "every "
    "setting. A setting's name alone shows it too.",
    show,
    complete,
};

}  // namespace tpulab::show_command
