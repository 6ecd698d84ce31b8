#include "commands/repeat_line.h"

#include <fmt/format.h>

#include "commands/words.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab {

namespace {

// For a POSIX shell, whatever stands in it.
std::string in_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

std::string repeat_line(const Settings& settings, const Settings& fresh) {
  const Settings built_in;
  std::string assignments;
  for (const SettingRow& row : setting_rows()) {
    if (row.name == "pace" || is_derived(row)) continue;
    std::string value = row.show(settings);
    if (value == row.show(fresh) && value == row.show(built_in)) continue;
    value = shown_anywhere(row.name, value);
    assignments += fmt::format(" {}={}", row.name, in_quotes_if_needed(value));
  }
  return "tpulab -c " + in_quotes((assignments.empty() ? "" : "set" + assignments + "; ") + "run");
}

std::string repeat_line(const RunView& run, Settings settings, const Settings& fresh) {
  if (run.state == RunState::stopped && run.step > 0) settings.max_steps = run.step;
  return repeat_line(settings, fresh);
}

std::string not_repeated(const RunView& run) {
  if (run.changed.empty()) return {};
  return fmt::format(
      "while the run ran, {} changed: the line has them as they were last, from its "
      "first step on",
      run.changed);
}

}  // namespace tpulab
