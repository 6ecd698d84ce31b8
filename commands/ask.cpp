#include "commands/ask.h"

#include <fmt/format.h>

#include "commands/words.h"
#include "engine/base/error.h"

namespace tpulab {

namespace {

constexpr std::chrono::milliseconds waiting_interval{50};

std::string newest_error(const Engine& engine, std::int64_t since) {
  std::string text = "no run is paused; `run` starts one";
  for (const OutputLine& line : engine.output_since(since)) {
    if (line.kind == OutputLine::Kind::error) text = line.text;
  }
  return text;
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

}  // namespace

void post(CommandContext& context, Request request) {
  const std::optional<bool> requested = run_after(request);
  if (!context.engine.post(std::move(request))) {
    throw Error("the engine has 64 requests waiting and takes no more; try again in a moment");
  }
  if (requested) context.run_requested = requested;
}

void wait_until_idle(CommandContext& context) {
  while (!context.engine.wait_for(waiting_interval)) {
    if (context.while_waiting) context.while_waiting();
  }
}

Reply set_all(CommandContext& context, std::vector<Assignment> assignments) {
  Settings changed = context.settings;
  Changes changes = change_all(changed, assignments);
  if (!changes.live.empty()) {
    post(context, ChangeSettings{changed, changes.effect, std::move(changes.live)});
  }
  context.settings = std::move(changed);
  Reply reply;
  reply.lines = std::move(changes.replies);
  return reply;
}

std::vector<Assignment> assignments_of(Arguments words, std::string_view usage) {
  std::vector<Assignment> assignments;
  for (const std::string& word : words) {
    Assignment assignment = name_and_value(word);
    if (assignment.name.empty() || assignment.value.empty()) {
      throw Error(fmt::format("'{}' is not NAME=VALUE; usage: {}", word, usage));
    }
    assignments.push_back(std::move(assignment));
  }
  return assignments;
}

std::string run_in_words(const Settings& settings) {
  return fmt::format("{}, {}, {}", setting_named("batch").meaning(settings),
                     setting_named("devices").meaning(settings), effective_precision(settings));
}

Reply train(CommandContext& context, Request request) {
  const std::vector<OutputLine> before = context.engine.output_since(0);
  const std::int64_t newest = before.empty() ? 0 : before.back().id;
  post(context, std::move(request));
  wait_until_idle(context);
  const RunView run = context.engine.latest()->run;
  Reply reply;
  if (run.state == RunState::paused) {
    reply.lines.push_back(fmt::format("run {} paused at step {}", run.number, run.step));
  } else if (run.state == RunState::failed) {
    throw Error(fmt::format("run {} failed: {}", run.number, run.failure));
  } else if (run.state == RunState::none) {
    throw Error("the run did not begin: " + newest_error(context.engine, newest));
  }
  return reply;
}

bool run_is_active(const CommandContext& context) {
  // Idle with nothing left to take up: the snapshot is the whole truth.
  const bool settled = context.engine.wait_for(std::chrono::milliseconds(0));
  if (!settled && context.run_requested) return *context.run_requested;
  const RunState state = context.engine.latest()->run.state;
  return state == RunState::training || state == RunState::paused;
}

}  // namespace tpulab
