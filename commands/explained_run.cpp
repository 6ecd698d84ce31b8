#include "commands/explained_run.h"

#include <fmt/format.h>

#include "commands/answer.h"
#include "commands/ask.h"
#include "engine/base/text.h"
#include "engine/session/settings/same_steps.h"

namespace tpulab {

namespace {

// Where a run is on the screen that the settings are no longer those of.
std::string whose_next(const CommandContext& context) {
  const auto newest = context.engine.newest_evidence();
  if (!newest) return {};
  const std::string changed = joined(changes_between(newest->settings, context.settings));
  return fmt::format("of the run that comes next, with {} unlike run {}:", changed, newest->number);
}

// Of what it found compiled it waited for nothing.
std::string whose_as_cold(const RunEvidence& run) {
  const std::int64_t found = found_programs(run);
  if (found == 0) return {};
  return fmt::format("of run {}, which found {} compiled, from a cold start:", run.number,
                     count_with(found, "program"));
}

}  // namespace

Explained explained_run(const CommandContext& context) {
  const std::optional<RunEvidence> run = run_in_question(context);
  if (!run) return {context.settings, whose_next(context)};
  if (same_run(run->settings, context.settings)) {
    return {context.settings, whose_as_cold(*run), true};
  }
  const std::string had = joined(changes_between(context.settings, run->settings));
  return {run->settings,
          fmt::format("of run {}, which had {}, replayed from a cold start:", run->number, had),
          true};
}

}  // namespace tpulab
