// resume: lets a paused run go on, or one that a checkpoint keeps.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "commands/ask.h"
#include "commands/candidates.h"
#include "commands/estimate_words.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/settings/preemption.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab::resume_command {

namespace {

constexpr std::string_view usage = "resume [FILE.safetensors [NAME=VALUE ...]]";

Reply resume_paused(CommandContext& context) {
  if (!run_is_active(context)) throw Error("no run is paused; `run` starts one");
  check_ends(context, context.settings);
  if (!context.interactive) return train(context, ResumeRun{});
  post(context, ResumeRun{});
  Reply reply;
  reply.lines.emplace_back("the run goes on");
  reply.fields = run_fields(context);
  return reply;
}

// What a file has behind it is not lost again.
std::optional<std::string> said_of_preemption(const std::vector<Assignment>& typed,
                                              const Checkpoint& kept) {
  const std::int64_t behind = kept.state->place.step;
  const std::int64_t step = preemption_named(kept.settings.preempt).step;
  if (std::ranges::find(typed, "preempt", &Assignment::name) == typed.end()) return std::nullopt;
  if (step == 0 || step > behind) return std::nullopt;
  return fmt::format("preempt {}: no effect on a run that goes on behind step {}",
                     kept.settings.preempt, behind);
}

bool is_typed(const std::vector<Assignment>& typed, std::string_view name) {
  return std::ranges::any_of(
      typed, [&](const Assignment& one) { return find_setting(one.name) == find_setting(name); });
}

// The settings are the file's: what was set before, and is not so there, is told.
std::optional<std::string> said_of_session(const Settings& session, const Settings& run,
                                           const std::vector<Assignment>& typed) {
  std::string others;
  for (const auto& [name, value] : changes_between({}, session)) {
    const SettingRow& row = setting_named(name);
    const std::string here = shown_anywhere(name, value);
    const std::string there = shown_anywhere(name, row.show(run));
    if (row.effect == Effect::at_once || here == there || is_typed(typed, name)) continue;
    others += fmt::format("{}{} {} (here {})", others.empty() ? "" : ", ", name, there, here);
  }
  if (others.empty()) return std::nullopt;
  return fmt::format("the run keeps its own {}; `resume FILE NAME=VALUE` gives it others", others);
}

Reply resume(Arguments arguments, CommandContext& context) {
  if (arguments.empty()) return resume_paused(context);
  const std::string file = file_named(arguments[0]);
  Checkpoint kept = checkpoint_of(read_file(file, largest_checkpoint), file);
  const std::vector<Assignment> typed = assignments_of(arguments.subspan(1), usage);
  change_all(kept.settings, typed);
  check_can_resume(kept.settings, *kept.state);
  // The settings of the session, which a script could set before, are not those of the file.
  check_ends(context, kept.settings,
             fmt::format("give one, as `resume {} max_steps={}`", in_quotes_if_needed(file),
                         limit_beyond(kept.state->place.step)));
  const auto said = said_of_session(context.settings, kept.settings, typed);
  context.run_aside = {context.settings, kept.settings};
  const StartRun start{
      .settings = kept.settings, .from = kept.state, .from_file = whole_path(file)};
  Reply reply;
  if (context.interactive) {
    post(context, start);
  } else {
    reply = train(context, start);
  }
  if (!kept.verified) {
    reply.lines.push_back(
        fmt::format("{} has no checksum: whether it is as it was written cannot be told", file));
  }
  if (said) reply.lines.push_back(*said);
  std::ranges::move(without_effect(kept.settings, typed), std::back_inserter(reply.lines));
  if (const auto late = said_of_preemption(typed, kept)) reply.lines.push_back(*late);
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext& context) {
  if (before.empty()) return {};
  return assignment_candidates(context.settings);
}

}  // namespace

extern const Command row;
const Command row{
    "resume",
    usage,
    "Let a paused run go on, or one that `checkpoint` has kept.",
    "resume FILE begins a run where the one of the file stood, with its settings and those that "
    "are given (resume a.safetensors max_steps=200) for this run only, and computes the same bits "
    "as if it had never stopped. The TPU time of its clocks begins anew, compiles included; its "
    "steady steps take as long. A file that does not fit is refused and the run before stays. In a "
    "script it returns when the run has ended, as `run` does.",
    resume,
    complete,
};

}  // namespace tpulab::resume_command
