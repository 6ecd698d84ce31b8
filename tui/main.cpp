// tpulab: what do TPU cores do while a network trains, and what would change if I changed
// something?
#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "commands/console.h"
#include "commands/line_output.h"
#include "commands/shell_completion.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/peers.h"
#include "engine/base/utf8.h"
#include "engine/base/xdg.h"
#include "engine/evidence/validate.h"
#include "engine/session/run/follow.h"
#include "engine/session/settings/settings_file.h"
#include "tui/app.h"
#include "tui/config.h"
#include "tui/farewell.h"
#include "tui/prompt/plain_session.h"
#include "tui/remembered.h"
#include "tui/terminal/events.h"
#include "tui/terminal/taken_terminal.h"
#include "tui/theme_choice.h"

namespace tpulab {
namespace {

constexpr int exit_code_wrong_option = 2;

struct Invocation {
  ConsoleOptions console;
  AppOptions app;
  std::string script;  // a file of commands
  std::string theme;   // empty: the configuration's
  bool dump_config = false;
  bool ascii = false;
  bool plain = false;
  bool no_run = false;
  bool no_history = false;
  bool tty = false;
  bool validate = false;
  std::string points;  // a file of measured points, empty for those shipped
  bool validate_json = false;
  std::string completion_shell;  // write its completion file
  Peers* peers = nullptr;        // who compute parts of the runs

  bool has_commands() const { return !console.commands.empty() || !script.empty(); }
};

void describe(CLI::App& flags, Invocation& invocation) {
  flags.set_version_flag("--version", "tpulab " TPULAB_VERSION);
  flags
      .add_option("-c,--command", invocation.console.commands,
                  "run these commands (\"batch 64; run; metrics\") and leave; several -c one "
                  "behind the other")
      ->allow_extra_args(false);
  flags.add_option("script", invocation.script, "a file of commands to run, one a line")
      ->excludes("--command");
  flags.add_flag("--json", invocation.console.json, "one JSON object per event and reply");
  flags.add_flag("--plain", invocation.plain, "lines of text instead of the dashboard");
  flags.add_flag("--no-run", invocation.no_run, "do not start with the default experiment");
  flags.add_flag("--no-history", invocation.no_history,
                 "keep neither the runs nor the lines that are typed");
  flags.add_flag("--tty", invocation.tty,
                 "use the terminal itself: mpirun --stdin none -n 4 tpulab --tty");
  flags
      .add_option("--theme", invocation.theme,
                  "colours of the dashboard; auto: as the background is")
      ->check(CLI::IsMember(theme_choices()));
  flags.add_option("--color", invocation.app.terminal.color, "how many colours to use")
      ->check(CLI::IsMember({"auto", "never", "16", "256", "truecolor"}));
  flags.add_flag("!--no-mouse", invocation.app.terminal.mouse,
                 "leave the mouse to the terminal, which selects text with it");
  flags.add_flag("--ascii", invocation.ascii, "draw with ASCII characters only");
  flags.add_flag("--dump-config", invocation.dump_config,
                 "print a config.toml with what holds now, and leave");
  flags
      .add_option("--completion", invocation.completion_shell,
                  "print what bash, zsh or fish offer at Tab")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
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

void print(std::string_view text) {
  LineOutput out(std::cout, "standard output");
  out.lines(text);
  out.flush();
}

// What was typed may stand in it, however long.
void complain(std::string_view what) {
  LineOutput(std::cerr, "standard error").lines(fmt::format("tpulab: {}", shortened(what, 2000)));
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// As they stand in an option's type: "TEXT:{auto,never}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  if (open == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, type.rfind('}') - open - 1), ',');
}

std::vector<ShellOption> shell_options(const CLI::App& flags) {
  std::vector<ShellOption> rows;
  for (const CLI::Option* option : flags.get_options()) {
    if (!option->nonpositional()) continue;
    const bool theme = option->check_lname("theme");  // whose names may hold any character
    rows.push_back({names_of(*option), option->get_description(), option->get_items_expected() > 0,
                    theme ? theme_choices() : choices_of(*option)});
  }
  for (const CLI::App* subcommand : flags.get_subcommands({})) {
    rows.push_back({{subcommand->get_name()},
                    subcommand->get_description(),
                    false,
                    {},
                    shell_options(*subcommand)});
  }
  return rows;
}

bool is_terminal(int file) { return ::isatty(file) != 0; }
// nohup leaves a standard input that nobody can read.
bool gives_bytes(int file) { return (::fcntl(file, F_GETFL) & O_ACCMODE) != O_WRONLY; }

// What the session begins with: built in, then the site's, the user's, the command line's.
Config config_of(const Invocation& invocation, const std::string& pace) {
  Config config;
  config.settings.pace = pace;
  config.complaints = read_own_machines(config_folders());  // config.toml may name one
  config = read_config(std::move(config), config_files());
  if (!invocation.theme.empty()) config.theme = invocation.theme;
  if (invocation.no_history) config.history = false;
  return config;
}

// Where runs are kept; nowhere without a home.
std::filesystem::path runs_file() {
  const auto folder = user_data_folder();
  return folder ? *folder / "runs.sqlite" : std::filesystem::path();
}

// On a screen that is not open yet.
void show_complaints(Engine& engine, const Config& config) {
  if (config.complaints.empty()) return;
  Tell tell;
  for (const std::string& complaint : config.complaints) {
    OutputLine line;
    line.kind = OutputLine::Kind::warning;
    line.text = complaint;
    line.event = "config";
    tell.lines.push_back(std::move(line));
  }
  engine.post(std::move(tell));
}

int dump_config(const Invocation& invocation) {
  const Config config = config_of(invocation, Settings().pace);
  for (const std::string& complaint : config.complaints) complain(complaint);
  print(config_text(config));
  return 0;
}

// For `load last`.
void leave_settings_behind(const Settings& fresh, const Config& config) {
  if (!config.history || config.settings == fresh) return;
  remember(settings_of_last_session, text_of_settings(config.settings));
}

// mpirun ends the others so, when one of them has died.
constexpr std::string_view ended_by_mpirun =
    "tpulab: ended from outside: another of the processes died, or somebody stopped mpirun; what "
    "`checkpoint` wrote is kept, and `resume` goes on from there\n";

void print_farewell(const Engine& engine, const Settings& settings, const Settings& fresh) {
  const auto newest = engine.newest_evidence();
  const std::string lines =
      farewell(engine.latest()->run, newest ? newest->settings : settings, fresh);
  if (!lines.empty()) print(lines);
}

int open_dashboard(Invocation& invocation) {
  const bool utf8 = use_utf8_locale();
  if (invocation.ascii || !utf8) invocation.app.terminal.glyphs = Glyphs::ascii;
  invocation.app.start_run = !invocation.no_run;
  Events::block_signals();
  Engine engine(runs_file(), invocation.peers);
  Config config = config_of(invocation, "watch");  // the default experiment takes seconds otherwise
  engine.history().set_on(config.history);
  invocation.app.history = config.history;
  show_complaints(engine, config);
  const bool named = config.theme != automatic_theme || !invocation.theme.empty();
  invocation.app.theme = named ? config.theme : remembered("theme").value_or(config.theme);
  const Settings fresh = config.settings;
  const int code = run_app(engine, config.settings, invocation.app);
  leave_settings_behind(fresh, config);
  if (code == 0) print_farewell(engine, config.settings, fresh);
  if (code == 128 + SIGTERM && invocation.peers != nullptr) std::cerr << ended_by_mpirun;
  return code;
}

constinit Interrupt interrupt;

// The first Ctrl-C, SIGTERM or SIGHUP is for the command, if one goes on, whose run is kept; a
// second one ends the program at once.
extern "C" void on_interrupt(int signal) {
  std::signal(signal, SIG_DFL);
  interrupt.came = signal;  // first, so that either the console sees it or this ends the program
  if (!interrupt.in_command) std::raise(signal);
}

extern "C" void on_termination(int signal) {
  const auto written = ::write(STDERR_FILENO, ended_by_mpirun.data(), ended_by_mpirun.size());
  std::signal(signal, SIG_DFL);
  std::raise(written < 0 ? SIGKILL : signal);
}

int run_script(Invocation& invocation) {
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(one, on_interrupt) == SIG_IGN) std::signal(one, SIG_IGN);  // nohup, sh &
  }
  if (invocation.peers != nullptr) std::signal(SIGTERM, on_termination);
  Engine engine(runs_file(), invocation.peers);
  Config config = config_of(invocation, Settings().pace);
  engine.history().set_on(config.history);
  for (const std::string& complaint : config.complaints) complain(complaint);
  auto& options = invocation.console;
  options.interrupt = &interrupt;
  const auto run = [&](std::istream& in) {
    return run_console(engine, config.settings, options, in, std::cout, std::cerr);
  };
  if (!invocation.script.empty()) {
    std::istringstream file(read_file(invocation.script));
    return run(file);
  }
  if (!options.commands.empty()) return run(std::cin);
  if (!invocation.no_run) options.when_empty = "run";
  options.enter_goes_on = true;  // as it was typed, into a pipe
  if (!is_terminal(STDIN_FILENO) && gives_bytes(STDIN_FILENO)) return run(std::cin);
  std::istringstream nothing;
  return run(nothing);
}

// A person at a terminal that cannot show the dashboard.
int open_plain_session(const Invocation& invocation) {
  Events::block_signals();
  Engine engine(runs_file(), invocation.peers);
  Config config = config_of(invocation, Settings().pace);
  engine.history().set_on(config.history);
  show_complaints(engine, config);
  const Settings fresh = config.settings;
  const int code = run_plain_session(engine, config.settings, !invocation.no_run, config.history);
  leave_settings_behind(fresh, config);
  if (code == 0) print_farewell(engine, config.settings, fresh);
  return code;
}

int run_plain(Invocation& invocation) {
  const bool person = is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO);
  const bool script = invocation.has_commands() || invocation.console.json;
  return person && !script ? open_plain_session(invocation) : run_script(invocation);
}

int open_session(Invocation& invocation) {
  std::optional<TakenTerminal> terminal;
  if (invocation.tty) terminal.emplace();
  invocation.app.terminal.suspends = !invocation.tty;
  const bool wants_plain = invocation.plain || invocation.console.json || invocation.has_commands();
  const auto obstacle = wants_plain ? std::string() : why_no_dashboard();
  if (!wants_plain && obstacle.empty()) {
    await_foreground();
    return open_dashboard(invocation);
  }
  if (!obstacle.empty() && is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO)) {
    complain(obstacle + "; plain lines instead of the dashboard");
  }
  return run_plain(invocation);
}

// A process that computes its part of what the first one's prompt asks for.
int follow_the_first(Peers& peers) {
  read_own_machines(config_folders());  // the first one says what is wrong with them
  follow(peers);
  return 0;
}

// 0: help or version were asked for.
int answer_parse_error(const CLI::App& flags, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = flags.exit(error, out, err);
  if (code == 0) print(out.str());
  if (code != 0) complain(err.str());
  return code == 0 ? 0 : exit_code_wrong_option;
}

int run(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of that file
  Invocation invocation;
  CLI::App flags("Trains a network on emulated TPU cores and shows what they do.", "tpulab");
  describe(flags, invocation);
  try {
    flags.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return answer_parse_error(flags, error);
  }
  if (!invocation.completion_shell.empty()) {
    print(shell_completion(invocation.completion_shell, shell_options(flags)));
    return 0;
  }
  if (invocation.validate) {
    if (invocation.has_commands()) {
      complain("validate runs no commands; leave out -c and the script");
      return exit_code_wrong_option;
    }
    print(validate_answer(invocation.points, invocation.validate_json || invocation.console.json));
    return 0;
  }
  if (invocation.dump_config) return dump_config(invocation);
  const std::unique_ptr<Peers> peers = started_peers();
  if (peers && peers->rank() > 0) return follow_the_first(*peers);
  invocation.peers = peers.get();
  const int code = open_session(invocation);
  leave(peers.get());
  return code;
}

}  // namespace
}  // namespace tpulab

int main(int argc, char** argv) {
  try {
    return tpulab::run(argc, argv);
  } catch (const std::exception& error) {
    tpulab::complain(error.what());
    return tpulab::exit_code_of(error);
  }
}
