#include "commands/ask.h"

#include <fmt/format.h>

#include "commands/what_fits.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/session/settings/same_steps.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab {

namespace {

// Live settings act on a run under way. A script waits for its answer: what the run refuses, the
// command refuses.
void change_run(CommandContext& context, const Settings& changed, Changes& changes) {
  if (changes.live.empty()) return;
  const std::int64_t newest = newest_line(context.engine);
  post(context, ChangeSettings{changed, changes.effect, std::move(changes.live)});
  if (context.interactive) return;
  wait_until_idle(context);
  const auto refusal = said_after(context.engine, newest, "refused");
  if (refusal) throw Impossible(*refusal);
}

// What a request makes of the run; none if it neither starts nor ends one.
std::optional<bool> run_after(const Request& request) {
  if (std::holds_alternative<StartRun>(request) || std::holds_alternative<StepRun>(request)) {
    return true;
  }
  if (std::holds_alternative<StopRun>(request) || std::holds_alternative<Reset>(request)) {
    return false;
  }
  return std::nullopt;
}

// Waits a moment; true if the engine is idle.
bool look_again(CommandContext& context) {
  if (context.engine.wait_for(waiting_interval)) return true;
  if (context.while_waiting) context.while_waiting();
  return false;
}

}  // namespace

void post(CommandContext& context, const Request& request) {
  const std::optional<bool> requested = run_after(request);
  while (!context.engine.post(request)) {
    if (context.interactive) {
      throw Error("the engine has 64 requests waiting and takes no more; try again in a moment");
    }
    look_again(context);
  }
  if (requested) context.run_requested = requested;
}

void wait_until_idle(CommandContext& context) {
  while (!look_again(context)) continue;
}

Reply set_all(CommandContext& context, std::vector<Assignment> assignments) {
  Settings changed = context.settings;
  Changes changes = asked_in_line("set", context.settings, assignments,
                                  [&] { return change_all(changed, assignments); });
  change_run(context, changed, changes);
  context.settings = std::move(changed);
  Reply reply;
  reply.lines = std::move(changes.replies);
  for (const Assignment& assignment : assignments) {
    reply.fields.push_back(field_of(setting_named(assignment.name), context.settings));
  }
  return reply;
}

namespace {

// By any of its names, as Python refuses a keyword that is repeated.
void check_is_new(const Assignment& typed, std::span<const Assignment> before) {
  const SettingRow* row = find_setting(typed.name);
  for (const Assignment& one : before) {
    const SettingRow* earlier = find_setting(one.name);
    if (row == nullptr || earlier == nullptr || !say_the_same(*row, *earlier)) continue;
    throw Error(row == earlier
                    ? fmt::format("{} is given twice, as {} and as {}; leave one of them out",
                                  row->name, one.value, typed.value)
                    : fmt::format("{} {} and {} {} say the same; leave one of them out",
                                  earlier->name, one.value, row->name, typed.value));
  }
}

}  // namespace

std::vector<Assignment> assignments_of(Arguments words, std::string_view usage) {
  std::vector<Assignment> assignments;
  for (const std::string& word : words) {
    Assignment assignment = name_and_value(word);
    if (assignment.name.empty() || assignment.value.empty()) {
      throw Error(fmt::format("'{}' is not NAME=VALUE; usage: {}", word, usage));
    }
    check_is_new(assignment, assignments);
    assignments.push_back(std::move(assignment));
  }
  return assignments;
}

EventField field_of(const SettingRow& row, const Settings& settings) {
  return {std::string(row.name), value_of(row.show(settings))};
}

EventValue value_of(const std::string& text) {
  if (const auto whole = whole_number(text)) return *whole;
  if (const auto real = real_number(text)) return *real;
  return text;
}

std::vector<EventField> run_fields(const CommandContext& context) {
  const RunView run = context.engine.latest()->run;
  if (run.state == RunState::none) return {{"state", std::string(name_of(run.state))}};
  return {{"run", run.number},
          {"state", std::string(name_of(run.state))},
          {"step", run.step},
          {"epoch", run.epoch},
          {"loss", run.loss},
          {"test_accuracy", run.test_accuracy},
          {"step_seconds",
           run.step_time.count() > 0 ? EventValue(in_seconds(run.step_time)) : EventValue()},
          {"tpu_seconds", in_seconds(run.tpu_time)},
          {"wall_seconds", run.wall_seconds},
          {"bound", run.bound.empty() ? EventValue() : EventValue(run.bound.name)},
          {"bound_saves", run.bound.saves > 0 ? EventValue(run.bound.saves) : EventValue()}};
}

std::string run_in_words(const Settings& settings) {
  return fmt::format("{}, {}, {}", setting_named("batch").meaning(settings),
                     setting_named("devices").meaning(settings), effective_precision(settings));
}

std::int64_t newest_line(const Engine& engine) {
  const std::vector<OutputLine> before = engine.output_since(0);
  return before.empty() ? 0 : before.back().id;
}

std::optional<std::string> said_after(const Engine& engine, std::int64_t since,
                                      std::string_view event) {
  for (const OutputLine& line : engine.output_since(since)) {
    if (line.event == event) return line.text;
  }
  return std::nullopt;
}

void check_ends(const CommandContext& context, const Settings& settings, std::string_view cure) {
  if (context.interactive || settings.max_epochs != -1 || settings.max_steps != -1) return;
  throw Error(fmt::format(
      "this run would never end, and a script waits for its end: its max_epochs and max_steps are "
      "both -1; {}",
      cure));
}

Reply train(CommandContext& context, const Request& request) {
  const std::int64_t newest = newest_line(context.engine);
  post(context, request);
  wait_until_idle(context);
  const auto refusal = said_after(context.engine, newest, "impossible");
  if (refusal) throw Impossible("the run did not begin: " + *refusal);
  const RunView run = context.engine.latest()->run;
  Reply reply;
  reply.fields = run_fields(context);
  if (run.state == RunState::paused) {
    reply.lines.push_back(fmt::format("run {} paused at step {}", run.number, run.step));
  } else if (run.state == RunState::failed) {
    const std::string text = fmt::format("run {} failed: {}", run.number, run.failure);
    if (run.impossible) throw Impossible(text);
    throw Error(text);
  }
  const auto failure = said_after(context.engine, newest, "failure");
  if (run.state == RunState::none) {
    throw Error(failure.value_or("no run is paused; `run` starts one"));
  }
  if (failure) {
    if (run.state == RunState::stopped) throw Error(*failure);
    throw Error(fmt::format("run {} has gone as far as it should, but {}", run.number, *failure));
  }
  return reply;
}

void check_hidden_was_run(const CommandContext& context) {
  if (context.hidden.empty()) return;
  if (context.engine.latest()->run.number != context.run_before_hidden) return;
  throw Error("the lesson asks about a run that comes first; Enter goes on, and then you may ask");
}

void check_tells_nothing_hidden(const CommandContext& context) {
  if (!context.hidden.empty()) throw Error("the lesson keeps that to itself until it is found");
}

std::string joined(const std::vector<Assignment>& assignments) {
  std::string text;
  for (const auto& [name, value] : assignments) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::optional<RunEvidence> run_in_question(const CommandContext& context) {
  std::optional<RunEvidence> run = context.engine.newest_evidence();
  if (!run || same_run(run->settings, context.settings)) return run;
  const std::optional<RunAside>& aside = context.run_aside;
  const bool as_asked =
      aside && same_run(aside->run, run->settings) && same_run(aside->session, context.settings);
  return as_asked ? run : std::nullopt;
}

bool run_is_active(const CommandContext& context) {
  // Idle with nothing left to take up: the snapshot is the whole truth.
  const bool settled = context.engine.wait_for(std::chrono::milliseconds(0));
  if (!settled && context.run_requested) return *context.run_requested;
  const RunState state = context.engine.latest()->run.state;
  return state == RunState::training || state == RunState::paused;
}

}  // namespace tpulab
