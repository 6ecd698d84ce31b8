// What a person types and what the program answers: history, the commands in turn, the output.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"
#include "tui/prompt/history.h"
#include "tui/prompt/output_lines.h"

namespace tpulab {

class Dialogue {
 public:
  // `on_reply` does what a reply asks of the screen. It may be called from enter(), advance() and
  // execute().
  Dialogue(Engine& engine, Settings& settings, std::function<void(const Reply&)> on_reply);

  // A lesson that still goes on gives the settings back.
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  std::vector<std::string> earlier_lines() { return history_.load(); }
  void keep_no_lines() { history_.turn_off(); }
  // Remembers the line and runs its commands, behind those that `wait` holds. An empty one goes on
  // with a lesson.
  void enter(const std::string& line);
  // Runs what `wait` no longer holds, and goes on with a lesson whose command has ended. Never
  // blocks: call it now and then while awaits().
  void advance();
  bool awaits() const { return held() || lesson_works(); }
  bool held() const { return !queue_.empty(); }
  void drop_held();
  // Runs one command at once, past the held ones; keys do that. False if it was refused.
  // `where`: the file and line that it is from; an error begins with it.
  bool execute(const std::string& command, const std::string& where = {});

  OutputLines& output() { return output_; }
  const OutputLines& output() const { return output_; }
  CommandContext& context() { return context_; }
  const CommandContext& context() const { return context_; }

 private:
  // A command and the typed line that it is from, directly or by the files that it sources.
  struct Held {
    SourcedCommand command;
    std::int64_t line = 0;
  };

  Reply perform(const std::string& command, const std::string& where);
  bool is_idle() const;
  void drop_line(std::int64_t line);
  void hear_engine();
  bool lesson_works() const;
  void go_on();
  void take(const Reply& reply);

  CommandContext context_;
  std::function<void(const Reply&)> on_reply_;
  OutputLines output_;
  History history_;
  std::deque<Held> queue_;    // entered, not run yet
  std::int64_t entered_ = 0;  // lines
  std::int64_t running_ = 0;  // the line whose command runs
  bool waiting_ = false;      // for the end of a run
  bool asked_ = false;        // the command that ran last has an answer that may still come
};

}  // namespace tpulab
