#include "tui/prompt/plain_session.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <optional>
#include <string>

#include "commands/ask.h"
#include "commands/line_output.h"
#include "engine/base/error.h"
#include "tui/draw/fit.h"
#include "tui/prompt/dialogue.h"
#include "tui/terminal/events.h"

namespace tpulab {
namespace {

constexpr int no_stray_output = -1;  // poll passes it over
constexpr auto busy_interval = std::chrono::milliseconds(50);

// Of the terminal as wide as it is now; 0: it does not say.
int columns_of_terminal() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

class PlainSession {
 public:
  PlainSession(Engine& engine, Settings& settings, bool history)
      : engine_(engine),
        settings_(settings),
        dialogue_(engine, settings, [this](const Reply& reply) { take(reply); }),
        events_(no_stray_output) {
    dialogue_.context().theme_names.clear();
    dialogue_.earlier_lines();
    if (!history) dialogue_.keep_no_lines();
    engine_.on_publish(events_.bell());
  }
  ~PlainSession() { engine_.on_publish({}); }
  PlainSession(const PlainSession&) = delete;
  PlainSession& operator=(const PlainSession&) = delete;

  // Nothing can be written to a terminal that is gone, which ends the program all the same.
  int run(bool start_run) {
    try {
      return converse(start_run);
    } catch (const Error&) {
      if (!events_.hung_up()) throw;
      return 128 + SIGHUP;
    }
  }

 private:
  int converse(bool start_run) {
    if (start_run) {
      print("the default experiment runs; commands can be typed meanwhile, Ctrl-C stops it");
      dialogue_.execute("run");
    }
    while (!exit_code_) {
      print_news();
      ask_if_idle();
      handle(events_.wait(next_look()));
    }
    print_news();
    if (prompt_stands_) out_.end_line();
    out_.flush();
    return *exit_code_;
  }

  bool busy() const { return !engine_.wait_for(std::chrono::milliseconds(0)); }

  // The end of a run, and of what `wait` holds, is looked for.
  std::optional<Events::Clock::time_point> next_look() const {
    if (prompt_stands_ && !dialogue_.awaits()) return std::nullopt;
    return Events::Clock::now() + busy_interval;
  }

  void handle(const Happened& happened) {
    dialogue_.context().columns = static_cast<std::size_t>(columns_of_terminal());
    for (const int signal : happened.signals) handle_signal(signal);
    typed_ += happened.input;
    for (auto end = typed_.find('\n'); end != std::string::npos && !exit_code_;
         end = typed_.find('\n')) {
      const std::string line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      prompt_stands_ = false;  // the terminal has echoed the line end
      interrupted_ = false;
      dialogue_.enter(line);
    }
    if (happened.input_ended && !exit_code_) exit_code_ = events_.hung_up() ? 128 + SIGHUP : 0;
    dialogue_.advance();
  }

  void handle_signal(int signal) {
    if (signal == SIGINT) {
      interrupt();
    } else if (signal == SIGTSTP) {
      stop_until_continued();
      prompt_stands_ = false;
    } else if (signal != SIGCONT && signal != SIGWINCH) {
      exit_code_ = 128 + signal;
    }
  }

  void interrupt() {
    if (interrupted_) {
      exit_code_ = 128 + SIGINT;
      return;
    }
    interrupted_ = true;
    typed_.clear();
    out_.end_line();  // the terminal shows ^C where the cursor was
    prompt_stands_ = false;
    if (dialogue_.held()) dialogue_.drop_held();
    if (run_is_active(dialogue_.context()) || engine_.answering()) dialogue_.execute("stop");
    print_news();
    print("a second Ctrl-C leaves, `quit` too");
  }

  void take(const Reply& reply) {
    if (reply.change.quit) exit_code_ = 0;
    if (!reply.change.help_topic) return;  // all other lines come with the output
    for (const std::string& line : reply.lines) print(line);
  }

  void print(const std::string& line) { print_to(out_, line); }
  void print_to(LineOutput& where, const std::string& line) {
    if (prompt_stands_) out_.end_line();
    prompt_stands_ = false;
    out_.flush();
    const int columns = columns_of_terminal();
    if (columns == 0) return where.lines(line);
    const auto indent = std::min(line.find_first_not_of(' '), line.size()) + 2;
    for (const std::string& row : wrapped(line, columns, static_cast<int>(indent))) {
      where.lines(row);
    }
  }

  void print_news() {
    dialogue_.output().take(*engine_.latest(), engine_);
    for (const OutputLine& line : dialogue_.output().lines()) {
      if (line.kind == OutputLine::Kind::command) continue;
      print_to(line.kind == OutputLine::Kind::error ? err_ : out_, line.text);
    }
    dialogue_.output().clear();
  }

  // A prompt between the lines of a run would only be in the way.
  void ask_if_idle() {
    if (!prompt_stands_ && !busy()) {
      print_news();
      out_.part(fmt::format("tpulab:{}> ", settings_.slice));
      prompt_stands_ = true;
    }
    out_.flush();
  }

  Engine& engine_;
  Settings& settings_;
  LineOutput out_{std::cout, "standard output"};
  LineOutput err_{std::cerr, "standard error"};
  Dialogue dialogue_;
  Events events_;
  std::string typed_;  // without a line end yet
  bool prompt_stands_ = false;
  bool interrupted_ = false;  // since the last line
  std::optional<int> exit_code_;
};

}  // namespace

int run_plain_session(Engine& engine, Settings& settings, bool start_run, bool history) {
  return PlainSession(engine, settings, history).run(start_run);
}

}  // namespace tpulab
