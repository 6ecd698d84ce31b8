// tpulab: what do TPU cores do while a network trains, and what would change if I changed
// something?
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "commands/console.h"
#include "engine/base/error.h"
#include "engine/forecast/validate.h"
#include "tui/app.h"
#include "tui/events.h"
#include "tui/plain_session.h"

namespace tpulab {
namespace {

struct Invocation {
  ConsoleOptions console;
  AppOptions app;
  std::string script;  // a file of commands
  bool ascii = false;
  bool plain = false;
  bool no_run = false;
  bool validate = false;
  std::string points;  // a file of measured points, empty for those shipped
  bool validate_json = false;

  bool has_commands() const { return !console.commands.empty() || !script.empty(); }
};

void describe(CLI::App& flags, Invocation& invocation) {
  flags.set_version_flag("--version", "tpulab " TPULAB_VERSION);
  flags
      .add_option("-c,--command", invocation.console.commands,
                  "run these commands (\"batch 64; run; metrics\") and leave")
      ->allow_extra_args(false);
  flags.add_option("script", invocation.script, "a file of commands to run, one a line")
      ->check(CLI::ExistingFile)
      ->excludes("--command");
  flags.add_flag("--json", invocation.console.json, "one JSON object per event and reply");
  flags.add_flag("--plain", invocation.plain, "lines of text instead of the dashboard");
  flags.add_flag("--no-run", invocation.no_run, "do not start with the default experiment");
  flags.add_option("--theme", invocation.app.theme, "colours of the dashboard")
      ->check(CLI::IsMember(theme_names()));
  flags.add_option("--color", invocation.app.terminal.color, "how many colours to use")
      ->check(CLI::IsMember({"auto", "never", "16", "256", "truecolor"}));
  flags.add_flag("--ascii", invocation.ascii, "draw with ASCII characters only");
  CLI::App* validate =
      flags.add_subcommand("validate", "measured points beside what is predicted for them");
  validate->add_option("--points", invocation.points,
                       "a TOML file of points of your own, - for standard input");
  validate->add_flag("--json", invocation.validate_json, "points and summary as JSON");
  validate->callback([&invocation] { invocation.validate = true; });
  flags.footer(
      "Without commands and with a terminal the dashboard opens; otherwise commands are read from\n"
      "standard input, and if there are none the default experiment runs. NO_COLOR is respected.");
}

bool is_terminal(int file) { return ::isatty(file) != 0; }

int open_dashboard(Invocation& invocation) {
  const bool utf8 = use_utf8_locale();
  if (invocation.ascii || !utf8) invocation.app.terminal.glyphs = Glyphs::ascii;
  invocation.app.start_run = !invocation.no_run;
  Events::block_signals();
  Engine engine;
  Settings settings;
  settings.pace = "watch";  // the default experiment takes seconds otherwise
  return run_app(engine, settings, invocation.app);
}

constinit Interrupt interrupt;

// The first Ctrl-C is for the run, if one goes on; a second one ends the program at once.
extern "C" void on_interrupt(int signal) {
  std::signal(signal, SIG_DFL);
  if (interrupt.in_command) {
    interrupt.came = true;
  } else {
    std::raise(signal);
  }
}

int run_script(Invocation& invocation) {
  if (std::signal(SIGINT, on_interrupt) == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // nohup, sh &
  Engine engine;
  Settings settings;
  auto& options = invocation.console;
  options.interrupt = &interrupt;
  const auto run = [&](std::istream& in) {
    return run_console(engine, settings, options, in, std::cout, std::cerr);
  };
  if (!invocation.script.empty()) {
    std::ifstream file(invocation.script);
    if (!file) throw Error("cannot read " + invocation.script + "; check its permissions");
    return run(file);
  }
  if (!options.commands.empty()) return run(std::cin);
  if (!invocation.no_run) options.when_empty = "run";
  if (!is_terminal(STDIN_FILENO)) return run(std::cin);
  std::istringstream nothing;
  return run(nothing);
}

// A person at a terminal that cannot show the dashboard.
int open_plain_session(const Invocation& invocation) {
  Events::block_signals();
  Engine engine;
  Settings settings;
  return run_plain_session(engine, settings, !invocation.no_run);
}

int run_plain(Invocation& invocation) {
  const bool person = is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO);
  const bool script = invocation.has_commands() || invocation.console.json;
  return person && !script ? open_plain_session(invocation) : run_script(invocation);
}

int run(int argc, char** argv) {
  Invocation invocation;
  CLI::App flags("Trains a network on emulated TPU cores and shows what they do.", "tpulab");
  describe(flags, invocation);
  try {
    flags.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return flags.exit(error) == 0 ? 0 : 2;  // 0: help or version were asked for
  }
  if (invocation.validate) {
    fmt::print("{}", validate_answer(invocation.points, invocation.validate_json));
    return 0;
  }
  const bool wants_plain = invocation.plain || invocation.console.json || invocation.has_commands();
  const auto obstacle = wants_plain ? std::string() : why_no_dashboard();
  if (!wants_plain && obstacle.empty()) return open_dashboard(invocation);
  if (!obstacle.empty() && is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO)) {
    fmt::print(stderr, "tpulab: {}; plain lines instead of the dashboard\n", obstacle);
  }
  return run_plain(invocation);
}

}  // namespace
}  // namespace tpulab

int main(int argc, char** argv) {
  try {
    return tpulab::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tpulab: {}\n", error.what());
    return 1;
  }
}
