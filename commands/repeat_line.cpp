#include "commands/repeat_line.h"

#include <fmt/format.h>

#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/run/run_record.h"
#include "engine/session/settings/own_machines.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab {

namespace {

// For a POSIX shell, whatever stands in it.
std::string in_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string assignment(std::string_view name, const std::string& value) {
  return fmt::format(" {}={}", name, in_quotes_if_needed(shown_anywhere(name, value)));
}

// Throws Error where the checkpoint is not there any more.
std::string resume_line(const RunView& run, Settings settings) {
  const Settings from = beginning_in_file(run).settings;
  settings.pace = from.pace;
  std::string line = "resume " + in_quotes_if_needed(run.from_file);
  for (const auto& [name, value] : changes_between(from, settings)) line += assignment(name, value);
  return "tpulab -c " + in_quotes(line);
}

}  // namespace

std::string repeat_line(const Settings& settings, const Settings& fresh) {
  const Settings built_in;
  std::string assignments;
  for (const SettingRow& row : setting_rows()) {
    if (row.name == "pace" || is_derived(row)) continue;
    const std::string value = row.show(settings);
    if (value == row.show(fresh) && value == row.show(built_in)) continue;
    assignments += assignment(row.name, value);
  }
  return "tpulab -c " + in_quotes((assignments.empty() ? "" : "set" + assignments + "; ") + "run");
}

std::vector<std::string> needed_elsewhere(const Settings& settings) {
  const auto machine = own_machine_of(settings.slice);
  if (!machine) return {};
  return {fmt::format("elsewhere it needs the file of {}, {} ({}), in slices.d there",
                      machine->name, machine->file, machine->says)};
}

std::vector<std::string> repeat_lines(const RunView& run, Settings settings,
                                      const Settings& fresh) {
  if (run.state == RunState::stopped && run.step > 0) settings.max_steps = run.step;
  std::vector<std::string> lines{repeat_line(settings, fresh)};
  try {
    if (run.from_step > 0) lines.front() = resume_line(run, settings);
  } catch (const Error& error) {
    lines.push_back(
        fmt::format("the run {}, the line begins anew: {}", beginning_of(run), error.what()));
  }
  if (!run.changed.empty()) {
    lines.push_back(
        fmt::format("while the run ran, {} changed: the line has them as they were last, from its "
                    "first step on",
                    run.changed));
  }
  for (std::string& line : needed_elsewhere(settings)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace tpulab
