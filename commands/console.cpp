#include "commands/console.h"

#include <fmt/format.h>

#include <istream>
#include <ostream>

namespace tpulab {

namespace {

constexpr int exit_code_interrupted = 130;  // 128 + SIGINT, as shells have it

class Console {
 public:
  Console(Engine& engine, Settings& settings, const ConsoleOptions& options, std::ostream& out,
          std::ostream& err)
      : engine_(engine),
        options_(options),
        out_(out),
        err_(err),
        context_{.engine = engine,
                 .settings = settings,
                 .interactive = false,
                 .theme_names = {},
                 .while_waiting = [this] { while_waiting(); }} {
    const auto earlier = engine.output_since(0);  // of a console before this one
    if (!earlier.empty()) newest_ = earlier.back().id;
  }

  int run_commands() {
    int number = 0;
    for (const std::string& text : options_.commands) {
      for (const std::string& command : split_commands(text)) {
        if (!run(command, "command", ++number)) return exit_code_;
      }
    }
    return 0;
  }

  int run_lines(std::istream& in) {
    int number = 0;
    bool empty = true;
    for (std::string line; std::getline(in, line);) {
      ++number;
      for (const std::string& command : split_commands(line)) {
        empty = false;
        if (!run(command, "line", number)) return exit_code_;
      }
    }
    if (empty && !options_.when_empty.empty()) run(options_.when_empty, "line", number);
    return exit_code_;
  }

 private:
  // False if the script ends here.
  bool run(const std::string& command, std::string_view place, int number) {
    const Reply reply = run_line(command, context_);
    if (options_.interrupt != nullptr) options_.interrupt->stops_run = false;
    print_events();
    if (options_.json) {
      for (const OutputLine& fact : reply.facts) out_ << json_of(fact) << '\n';
      out_ << json_of_reply(command, reply, number) << '\n';
    } else if (!reply.failed) {
      for (const std::string& line : reply.lines) out_ << line << '\n';
    }
    out_.flush();
    if (reply.failed) {
      err_ << fmt::format("{} {}: {}\n", place, number, fmt::join(reply.lines, "\n  "));
      err_.flush();
      exit_code_ = 1;
    }
    if (interrupted_) {
      err_ << fmt::format("{} {}: stopped by Ctrl-C\n", place, number);
      exit_code_ = exit_code_interrupted;
    }
    return !reply.failed && !reply.change.quit && !interrupted_;
  }

  void while_waiting() {
    print_events();
    if (options_.interrupt == nullptr || interrupted_) return;
    options_.interrupt->stops_run = true;
    interrupted_ = options_.interrupt->came && engine_.post(StopRun{});
    if (interrupted_) err_ << '\n';  // the terminal shows ^C where the cursor was
  }

  void print_events() {
    for (const OutputLine& line : engine_.output_since(newest_)) {
      newest_ = line.id;
      out_ << (options_.json ? json_of(line) : line.text) << '\n';
    }
    out_.flush();
  }

  Engine& engine_;
  const ConsoleOptions& options_;
  std::ostream& out_;
  std::ostream& err_;
  CommandContext context_;
  std::int64_t newest_ = 0;
  int exit_code_ = 0;
  bool interrupted_ = false;
};

}  // namespace

int run_console(Engine& engine, Settings& settings, const ConsoleOptions& options, std::istream& in,
                std::ostream& out, std::ostream& err) {
  Console console(engine, settings, options, out, err);
  return options.commands.empty() ? console.run_lines(in) : console.run_commands();
}

}  // namespace tpulab
