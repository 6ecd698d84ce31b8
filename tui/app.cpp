#include "tui/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <utility>

#include "commands/command.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "tui/crash.h"
#include "tui/dialogue.h"
#include "tui/events.h"
#include "tui/help_text.h"
#include "tui/input.h"
#include "tui/prompt.h"
#include "tui/screen.h"
#include "tui/stray_output.h"

namespace tpulab {
namespace {

using Clock = Events::Clock;
using Kind = OutputLine::Kind;
using std::chrono::milliseconds;

constexpr auto frame_interval = milliseconds(100);     // for the engine's news, not for keys
constexpr auto escape_limit = milliseconds(40);        // ESC alone, if nothing follows
constexpr auto held_interval = milliseconds(50);       // between looks whether `wait` is over
constexpr auto paste_limit = std::chrono::seconds(1);  // a paste whose end never comes
constexpr char control_d = 4;
constexpr std::string_view paste_was_cut = "the paste was longer than 1 MiB and is cut";
constexpr std::string_view panes_note =
    "panes: p pause  s step  r run  x stop  j/k scroll  ? help  q quit  : prompt";

// A theme with an error in it is said, and the screen opens all the same.
Theme theme_or_default(const std::string& name, OutputLines& log) {
  try {
    return theme_named(name);
  } catch (const Error& error) {
    log.add(Kind::error, error.what());
    return embedded_theme(AppOptions{}.theme);
  }
}

// What a key has changed.
enum class Redraw { nothing, prompt, all };

class App {
 public:
  App(Engine& engine, Settings& settings, const AppOptions& options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;
  int run(bool start_run);

 private:
  void handle(const Happened& happened);
  void handle_signal(int signal);
  void handle_event(const InputEvent& event);
  void handle_panes_key(std::string_view key);
  void handle_prompt_event(const InputEvent& event);
  void handle_escape();
  void handle_function_key(int number);
  void interrupt();
  void take_typed();
  void show_reply(const Reply& reply);
  void change_theme(const std::string& name);
  void open_help();
  void scroll(int lines);
  void quit_from_panes();
  void toggle_pause();
  bool has_run() const;
  void take_snapshot();
  void draw();
  ScreenState screen_state() const;
  std::optional<Clock::time_point> next_deadline() const;
  std::optional<Clock::time_point> typed_deadline() const;

  Engine& engine_;
  Settings& settings_;
  Dialogue dialogue_;
  Glyphs glyphs_;
  Terminal terminal_;
  StrayOutput stray_;
  Events events_;
  Prompt prompt_;
  InputParser parser_;

  std::shared_ptr<const Snapshot> now_;
  HelpText help_;
  int output_scroll_ = 0;
  bool panes_focus_ = false;
  bool quit_asked_ = false;
  std::string note_;  // until the next key
  bool published_ = true;
  Redraw redraw_ = Redraw::all;
  DrawnScreen drawn_;
  Clock::time_point next_frame_{};
  Clock::time_point last_input_{};
  std::optional<int> exit_code_;
};

App::App(Engine& engine, Settings& settings, const AppOptions& options)
    : engine_(engine),
      settings_(settings),
      dialogue_(engine, settings, [this](const Reply& reply) { show_reply(reply); }),
      glyphs_(options.terminal.glyphs),
      terminal_(options.terminal, theme_or_default(options.theme, dialogue_.output())),
      events_(stray_.file()),
      prompt_([this](std::string_view line) { return completions(line, dialogue_.context()); },
              dialogue_.earlier_lines(), "␤"),
      now_(engine.latest()) {
  guard_terminal(
      {terminal_.file(), stray_.stderr_before(), stray_.file(), terminal_.modes_before()});
  engine_.on_publish(events_.bell());
}

App::~App() {
  engine_.on_publish({});
  release_terminal();
}

int App::run(bool start_run) {
  draw();
  if (start_run) dialogue_.execute("run");
  while (!exit_code_) {
    if (redraw_ != Redraw::nothing || (published_ && Clock::now() >= next_frame_)) draw();
    handle(events_.wait(next_deadline()));
  }
  return *exit_code_;
}

std::optional<Clock::time_point> App::next_deadline() const {
  std::optional<Clock::time_point> until;
  if (published_) until = next_frame_;
  if (dialogue_.held()) until = Clock::now() + held_interval;
  const auto typed = typed_deadline();
  if (typed) until = std::min(until.value_or(*typed), *typed);
  return until;
}

// When an unfinished escape sequence or paste is taken for what it is.
std::optional<Clock::time_point> App::typed_deadline() const {
  const auto waiting = parser_.waiting();
  if (waiting == Waiting::nothing) return std::nullopt;
  return last_input_ + (waiting == Waiting::paste ? Clock::duration(paste_limit) : escape_limit);
}

void App::handle(const Happened& happened) {
  for (const int signal : happened.signals) handle_signal(signal);
  if (happened.input_ended) exit_code_ = 128 + SIGHUP;
  std::vector<InputEvent> keys;
  if (!happened.input.empty()) {
    last_input_ = Clock::now();
    keys = parser_.take(happened.input);
  } else if (const auto typed = typed_deadline(); typed && Clock::now() >= *typed) {
    keys = parser_.give_up();
  }
  for (const auto& key : keys) handle_event(key);
  if (happened.stray) dialogue_.output().add(Kind::warning, stray_.take());
  published_ = published_ || happened.engine || happened.stray;
  dialogue_.advance();
}

void App::handle_signal(int signal) {
  redraw_ = Redraw::all;
  switch (signal) {
    case SIGWINCH:
      terminal_.fit();
      break;
    case SIGTSTP:
      terminal_.suspend();
      break;
    case SIGCONT:
      terminal_.recover();
      break;
    case SIGINT:
      interrupt();
      break;
    default:
      exit_code_ = 128 + signal;
  }
}

bool App::has_run() const {
  const auto state = engine_.latest()->run.state;
  return state == RunState::training || state == RunState::paused;
}

// Ctrl-C stops the innermost thing: a search, held lines, the run, what is typed.
void App::interrupt() {
  note_.clear();
  if (prompt_.searching()) {
    prompt_.clear_line();
  } else if (dialogue_.held()) {
    dialogue_.drop_held();
  } else if (has_run() || engine_.answering()) {
    dialogue_.execute("stop");
  } else if (!prompt_.empty()) {
    prompt_.clear_line();
  } else {
    note_ = "Ctrl-D or quit leaves";
  }
}

void App::handle_event(const InputEvent& event) {
  note_.clear();
  if (event.key == Key::text && !panes_focus_ && !help_.open()) return handle_prompt_event(event);
  redraw_ = Redraw::all;
  const bool letters_act = panes_focus_ || help_.open();
  if (letters_act && event.key == Key::text && event.text.size() > 1) {
    // One by one: the first letter may change what the second means.
    for (const char letter : event.text) handle_event({Key::text, {letter}});
  } else if (event.key == Key::redraw) {
    terminal_.forget();
  } else if (event.key == Key::function) {
    handle_function_key(event.number);
  } else if (help_.open()) {
    help_.press(event, std::max(1, terminal_.rows() - 8));
  } else if (event.key == Key::page_up || event.key == Key::page_down) {
    scroll(event.key == Key::page_up ? 5 : -5);
  } else if (event.key == Key::escape) {
    handle_escape();
  } else if (panes_focus_ && event.key != Key::paste) {
    handle_panes_key(event.text);
  } else {
    panes_focus_ = false;
    handle_prompt_event(event);
  }
}

void App::handle_function_key(int number) {
  if (number == 1 && help_.open()) {
    help_ = {};
  } else if (number == 1) {
    open_help();
  } else if (number == 5) {
    toggle_pause();
  }
}

// ESC never reaches readline in its emacs mode: it would wait for a second key.
void App::handle_escape() {
  if (prompt_.searching()) {
    prompt_.end_search();
  } else if (panes_focus_) {
    panes_focus_ = false;
  } else if (prompt_.empty()) {
    panes_focus_ = true;
  } else if (prompt_.wants_escape()) {
    prompt_.type("\x1b");
  }
}

void App::toggle_pause() {
  if (has_run()) {
    dialogue_.execute(engine_.latest()->run.state == RunState::paused ? "resume" : "pause");
  } else {
    note_ = "no run to pause; `run` starts one";
  }
}

// With a run under way it takes two.
void App::quit_from_panes() {
  if (!has_run() || quit_asked_) {
    exit_code_ = 0;
  } else {
    quit_asked_ = true;
    note_ = "a run is under way: q again quits and loses it";
  }
}

void App::handle_panes_key(std::string_view key) {
  if (key != "q") quit_asked_ = false;
  scroll(-line_step(key));
  const char letter = key.size() == 1 ? key.front() : ' ';
  if (letter == 'p') toggle_pause();
  if (letter == 's') dialogue_.execute("step");
  if (letter == 'r') dialogue_.execute("run");
  if (letter == 'x') dialogue_.execute("stop");
  if (letter == '?') open_help();
  if (letter == 'q') quit_from_panes();
  if (letter == control_d) exit_code_ = 0;
  if (letter == ':' || letter == 'i' || letter == '\r') panes_focus_ = false;
}

void App::handle_prompt_event(const InputEvent& event) {
  const bool listed = !prompt_.candidates().empty();
  if (event.key == Key::sequence) prompt_.press(event.text);
  if (event.key == Key::text) prompt_.type(event.text);
  if (event.key == Key::paste) {
    prompt_.paste(event.text);
    if (event.clipped) dialogue_.output().add(Kind::warning, paste_was_cut);
  }
  const bool only_prompt = !listed && prompt_.candidates().empty();
  redraw_ = std::max(redraw_, only_prompt ? Redraw::prompt : Redraw::all);
  take_typed();
}

void App::take_typed() {
  for (const auto& line : prompt_.take_entered()) dialogue_.enter(line);
  if (dialogue_.held()) note_ = "wait holds what follows until the run ends; Ctrl-C drops it";
  if (prompt_.take_end_of_input()) exit_code_ = 0;
}

void App::show_reply(const Reply& reply) {
  redraw_ = Redraw::all;
  output_scroll_ = 0;
  if (const auto& topic = reply.change.help_topic) {
    help_ = HelpText(topic->empty() ? "help" : "help " + *topic, reply.lines);
  }
  if (reply.change.theme) change_theme(*reply.change.theme);
  if (reply.change.quit) exit_code_ = 0;
}

void App::change_theme(const std::string& name) {
  try {
    terminal_.set_theme(theme_named(name));
  } catch (const Error& error) {
    dialogue_.output().add(Kind::error, error.what());
  }
}

void App::open_help() { help_ = HelpText("help", run_line("help", dialogue_.context()).lines); }

void App::scroll(int lines) {
  const int most = std::max(0, static_cast<int>(dialogue_.output().lines().size()) - 1);
  output_scroll_ = std::clamp(output_scroll_ + lines, 0, most);
}

// What is read back in the output stays in place when new lines come.
void App::take_snapshot() {
  now_ = engine_.latest();
  const int added = dialogue_.output().take(*now_, engine_);
  if (output_scroll_ > 0) scroll(added);
}

ScreenState App::screen_state() const {
  ScreenState state;
  state.now = now_;
  state.view.glyphs = glyphs_;
  state.view.output_scroll = output_scroll_;
  state.view.output = dialogue_.output().lines();
  auto view = prompt_.view();
  state.prompt = std::move(view.prompt);
  state.line = std::move(view.line);
  state.cursor = view.cursor;
  state.hint = note_.empty() ? hint(prompt_.line(), dialogue_.context()) : note_;
  state.completions = prompt_.candidates();
  if (help_.open()) state.overlay = help_.lines();
  state.overlay_title = help_.title();
  state.overlay_scroll = help_.scroll();
  if (panes_focus_) state.focus_note = note_.empty() ? std::string(panes_note) : note_;
  return state;
}

// A key alone costs the prompt's rows; the newest snapshot is shown when a frame is due.
void App::draw() {
  const auto time = Clock::now();
  if (published_ && time >= next_frame_) {
    take_snapshot();
    published_ = false;
    next_frame_ = time + frame_interval;
    redraw_ = Redraw::all;
  }
  prompt_.set_prompt(fmt::format("tpulab:{}> ", settings_.slice));
  if (redraw_ == Redraw::all) {
    drawn_ = draw_screen(screen_state(), terminal_.rows(), terminal_.columns());
    help_.limit_scroll(drawn_.overlay_scroll_limit);
  } else {
    redraw_prompt(screen_state(), drawn_);
  }
  const int first_row = redraw_ == Redraw::all ? 0 : drawn_.cursor_row - 1;
  terminal_.show(drawn_, !panes_focus_ && !help_.open(), first_row);
  redraw_ = Redraw::nothing;
}

}  // namespace

int run_app(Engine& engine, Settings& settings, const AppOptions& options) {
  return App(engine, settings, options).run(options.start_run);
}

}  // namespace tpulab
