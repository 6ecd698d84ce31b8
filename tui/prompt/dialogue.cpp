#include "tui/prompt/dialogue.h"

#include <chrono>
#include <utility>

#include "commands/lessons/player.h"
#include "tui/theme_choice.h"

namespace tpulab {

using Kind = OutputLine::Kind;

Dialogue::Dialogue(Engine& engine, Settings& settings, std::function<void(const Reply&)> on_reply)
    : context_{engine, settings, true, theme_choices(), {}},
      on_reply_(std::move(on_reply)),
      history_(history_path()) {}

void Dialogue::enter(const std::string& line) {
  if (const auto failure = history_.append(line)) output_.add(Kind::warning, *failure);
  auto commands = split_commands(line);
  if (commands.empty() && context_.lesson) go_on();
  for (auto& command : commands) queue_.push_back(std::move(command));
  advance();
}

// `wait` must not stop the screen: it holds the commands behind it instead.
void Dialogue::advance() {
  if (lesson_works() && !context_.engine.answering() && is_idle()) go_on();
  while (!queue_.empty()) {
    if (waiting_ && !is_idle()) return;
    waiting_ = false;
    const auto command = std::move(queue_.front());
    queue_.pop_front();
    execute(command);
  }
}

bool Dialogue::is_idle() const { return context_.engine.wait_for(std::chrono::milliseconds(0)); }

bool Dialogue::lesson_works() const { return context_.lesson && context_.lesson->works(); }

// Enter alone, and the end of what a lesson has typed.
void Dialogue::go_on() {
  output_.take(*context_.engine.latest(), context_.engine);  // what its command said comes first
  take(run_line("lesson next", context_));
}

void Dialogue::drop_held() {
  queue_.clear();
  waiting_ = false;
  output_.add(Kind::warning, "the waiting commands are dropped");
}

bool Dialogue::execute(const std::string& command) {
  output_.add(Kind::command, "> " + command);
  const Reply reply = run_line(command, context_);
  take(reply);
  return !reply.failed;
}

void Dialogue::take(const Reply& reply) {
  if (reply.change.clear_output) output_.clear();
  if (!reply.change.help_topic) {
    for (const auto& line : reply.lines) output_.add(reply.failed ? Kind::error : Kind::text, line);
  }
  const auto& next = reply.change.commands;
  for (auto at = next.rbegin(); at != next.rend(); ++at) queue_.push_front(at->text);
  if (reply.change.wait) waiting_ = true;
  if (reply.change.quit) queue_.clear();
  on_reply_(reply);
}

}  // namespace tpulab
