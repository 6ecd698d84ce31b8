#include "commands/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <istream>
#include <ostream>
#include <stop_token>
#include <utility>
#include <vector>

#include "commands/ask.h"
#include "commands/line_output.h"
#include "commands/trainer_call.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

std::string text_of_stop(int signal) {
  if (signal == SIGTERM) return "stopped by SIGTERM";
  return signal == SIGHUP ? "stopped by SIGHUP" : "stopped by Ctrl-C";
}

bool asks_for_csv(std::string_view commands) {
  return commands.find("format csv") != std::string_view::npos ||
         commands.find("format=csv") != std::string_view::npos;
}

// One that could not be written, which is told while it can be mended.
bool tells_of_file(const OutputLine& line) {
  return std::ranges::find(line.fields, "file", &EventField::name) != line.fields.end();
}

class Console {
 public:
  Console(Engine& engine, Settings& settings, const ConsoleOptions& options, std::ostream& out,
          std::ostream& err)
      : engine_(engine),
        options_(options),
        out_(out, "standard output"),
        err_(err, "standard error"),
        context_{.engine = engine,
                 .settings = settings,
                 .interactive = false,
                 .theme_names = {},
                 .while_waiting = [this] { while_waiting(); },
                 .interrupted = interruption_.get_token(),
                 .print_row = [this](const auto& text, const auto& row) { print_row(text, row); }},
        newest_(newest_line(engine)) {}

  int run_commands() {
    int number = 0;
    rows_are_wanted_ = std::ranges::any_of(options_.commands, asks_for_csv);
    for (const std::string& text : options_.commands) {
      for (const std::string& command : split_commands(text)) {
        ++number;
        if (!run(command, {fmt::format("command {}", number), number})) return exit_code_;
      }
    }
    return 0;
  }

  int run_lines(std::istream& in) {
    int number = 0;
    bool empty = true;
    const auto next = [&](std::string& line) { return next_line(in, line) && ++number > 0; };
    for (std::string line; next(line);) {
      const int first = number;
      if (options_.enter_goes_on && context_.lesson && trimmed(line).empty()) line = "lesson next";
      for (const std::string& command : split_commands(whole_call(std::move(line), next))) {
        empty = false;
        if (!run(command, {fmt::format("line {}", first), first})) return exit_code_;
      }
    }
    if (empty && !options_.when_empty.empty())
      run(options_.when_empty, {fmt::format("line {}", number), number});
    return exit_code_;
  }

 private:
  // False if the script ends here.
  bool run(const std::string& command, const Place& place) {
    hold_interrupts(true);
    const Reply reply = run_line(command, context_);
    look_for_interrupt();
    exit_code_ = interrupted_ != 0 ? exit_code_of_signals + interrupted_ : exit_code_of(reply);
    print_events();
    print_reply(command, reply, place);
    const std::string answer = fmt::format("{}", fmt::join(reply.lines, "\n  "));
    print_errors(reply.failed ? answer : "");
    if (reply.failed) complain(place.where, answer);
    hold_interrupts(false);
    look_for_interrupt();
    if (interrupted_ != 0) {
      complain(place.where, text_of_stop(interrupted_));
      exit_code_ = exit_code_of_signals + interrupted_;
    }
    if (exit_code_ != 0 || reply.change.quit) return false;
    return std::ranges::all_of(reply.change.commands, [&](const SourcedCommand& next) {
      return run(next.text, {next.where, place.number});
    });
  }

  void print_reply(const std::string& command, Reply reply, const Place& place) {
    if (options_.json) {
      for (const OutputLine& row : reply.rows) out_.lines(json_of(row));
      if (interrupted_ != 0) reply.lines.push_back(text_of_stop(interrupted_));
      out_.lines(json_of_reply(command, reply, place, exit_code_));
    } else if (!reply.failed) {
      const bool aside = reply.only_sets && rows_are_wanted_;
      for (const std::string& line : reply.lines) (aside ? err_ : out_).lines(line);
    }
    out_.flush();
    err_.flush();
  }

  void print_row(const std::string& text, const OutputLine& row) {
    if (!options_.json) out_.lines(text);
    if (options_.json && !row.fields.empty()) out_.lines(json_of(row));
    out_.flush();
  }

  void complain(std::string_view place, std::string_view what) {
    err_.lines(fmt::format("{}: {}", place, what));
    err_.flush();
  }

  void hold_interrupts(bool held) {
    if (options_.interrupt != nullptr) options_.interrupt->in_command = held;
  }

  // A signal may come after the last look that a command has taken, or while its answer is printed.
  void look_for_interrupt() {
    if (options_.interrupt != nullptr) interrupted_ = options_.interrupt->came;
  }

  void while_waiting() {
    print_events();
    const int signal = options_.interrupt == nullptr ? 0 : options_.interrupt->came.load();
    if (interrupted_ != 0 || signal == 0) return;
    interruption_.request_stop();
    if (!engine_.post(StopRun{})) return;
    interrupted_ = signal;
    err_.end_line();  // the terminal shows ^C where the cursor was
  }

  void print_events() {
    for (const OutputLine& line : engine_.output_since(newest_)) {
      if (line.id > newest_ + 1) tell_lost(line.id - newest_ - 1);
      newest_ = line.id;
      if (!options_.json && line.kind == OutputLine::Kind::error) {
        if (tells_of_file(line) && run_is_active(context_)) complain("the run goes on", line.text);
        errors_.push_back(line.text);
      } else {
        out_.lines(options_.json ? json_of(line) : line.text);
      }
    }
    out_.flush();
  }

  // Whoever reads the output is slower than what happens.
  void tell_lost(std::int64_t lines) {
    OutputLine lost;
    lost.text = fmt::format("{} were not read in time and are lost", count_with(lines, "line"));
    lost.event = "lost";
    lost.fields = {{"lines", lines}};
    out_.lines(options_.json ? json_of(lost) : lost.text);
  }

  // A command that waits for the engine answers with what it was refused.
  void print_errors(std::string_view answer) {
    for (const std::string& error : std::exchange(errors_, {})) {
      if (answer.find(error) == std::string_view::npos) err_.lines(error);
    }
    err_.flush();
  }

  Engine& engine_;
  const ConsoleOptions& options_;
  LineOutput out_;
  LineOutput err_;
  std::stop_source interruption_;
  CommandContext context_;
  std::vector<std::string> errors_;  // that the command under way has met
  std::int64_t newest_;  // line that was printed, by a console before this one to begin with
  int exit_code_ = 0;
  int interrupted_ = 0;           // the signal
  bool rows_are_wanted_ = false;  // as CSV: what was set would stand before their names
};

}  // namespace

int exit_code_of(const Reply& reply) {
  if (!reply.failed) return 0;
  return reply.impossible ? exit_code_impossible : exit_code_failed;
}

int exit_code_of(const std::exception& error) {
  const bool impossible = dynamic_cast<const Impossible*>(&error) != nullptr;
  return impossible ? exit_code_impossible : exit_code_failed;
}

int run_console(Engine& engine, Settings& settings, const ConsoleOptions& options, std::istream& in,
                std::ostream& out, std::ostream& err) {
  Console console(engine, settings, options, out, err);
  return options.commands.empty() ? console.run_lines(in) : console.run_commands();
}

}  // namespace tpulab
