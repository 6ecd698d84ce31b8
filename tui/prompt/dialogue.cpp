#include "tui/prompt/dialogue.h"

#include <chrono>
#include <utility>

#include "commands/lessons/player.h"
#include "engine/base/text.h"
#include "tui/theme_choice.h"

namespace tpulab {

using Kind = OutputLine::Kind;

Dialogue::Dialogue(Engine& engine, Settings& settings, std::function<void(const Reply&)> on_reply)
    : context_{.engine = engine,
               .settings = settings,
               .interactive = true,
               .theme_names = theme_choices()},
      on_reply_(std::move(on_reply)),
      history_(history_path()) {}

Dialogue::~Dialogue() {
  if (context_.lesson) context_.lesson->leave(context_);
}

void Dialogue::enter(const std::string& line) {
  if (const auto failure = history_.append(line)) output_.add(Kind::warning, *failure);
  auto commands = split_commands(line);
  if (commands.empty() && context_.lesson) go_on();
  ++entered_;
  for (auto& command : commands) queue_.push_back({{std::move(command), {}}, entered_});
  advance();
}

// `wait` must not stop the screen: it holds the commands behind it instead, as an answer that is
// being worked out holds those of its line.
void Dialogue::advance() {
  if (lesson_works() && !context_.engine.answering() && is_idle()) go_on();
  while (!queue_.empty()) {
    if (waiting_) {
      if (!is_idle()) return;
      hear_engine();  // what was waited for comes first
    }
    waiting_ = false;
    if (asked_ && queue_.front().line == running_) {
      if (context_.engine.answering()) return;
      asked_ = false;
      hear_engine();  // the answer comes first
      if (context_.engine.answer_failed()) {
        drop_line(running_);
        continue;
      }
    }
    const Held next = std::move(queue_.front());
    queue_.pop_front();
    running_ = next.line;
    const Reply reply = perform(next.command.text, next.command.where);
    asked_ = reply.asks;
    if (reply.failed) drop_line(next.line);
  }
}

// As a script ends at the first command that fails.
void Dialogue::drop_line(std::int64_t line) {
  const auto dropped = std::erase_if(queue_, [&](const Held& held) { return held.line == line; });
  if (dropped == 0) return;
  const auto count = static_cast<std::int64_t>(dropped);
  output_.add(Kind::warning, "not run, as the one before failed: " + count_with(count, "command"));
}

void Dialogue::hear_engine() { output_.take(*context_.engine.latest(), context_.engine); }

bool Dialogue::is_idle() const { return context_.engine.wait_for(std::chrono::milliseconds(0)); }

bool Dialogue::lesson_works() const { return context_.lesson && context_.lesson->works(); }

// Enter alone, and the end of what a lesson has typed.
void Dialogue::go_on() {
  hear_engine();  // what its command said comes first
  take(run_line("lesson next", context_));
}

void Dialogue::drop_held() {
  queue_.clear();
  waiting_ = false;
  output_.add(Kind::warning, "the waiting commands are dropped");
}

bool Dialogue::execute(const std::string& command, const std::string& where) {
  return !perform(command, where).failed;
}

Reply Dialogue::perform(const std::string& command, const std::string& where) {
  output_.add(Kind::command, "> " + command);
  Reply reply = run_line(command, context_);
  if (reply.failed && !where.empty() && !reply.lines.empty()) {
    reply.lines.front() = where + ": " + reply.lines.front();
  }
  take(reply);
  return reply;
}

void Dialogue::take(const Reply& reply) {
  if (reply.change.clear_output) output_.clear();
  if (!reply.change.help_topic) {
    for (const auto& line : reply.lines) output_.add(reply.failed ? Kind::error : Kind::text, line);
  }
  const auto& next = reply.change.commands;
  for (auto at = next.rbegin(); at != next.rend(); ++at) queue_.push_front({*at, running_});
  if (reply.change.wait) waiting_ = true;
  if (reply.change.quit) queue_.clear();
  on_reply_(reply);
}

}  // namespace tpulab
