#include "tui/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <utility>

#include "commands/answer.h"
#include "commands/ask.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "tui/dialogue.h"
#include "tui/events.h"
#include "tui/keyboard.h"
#include "tui/panes_keys.h"
#include "tui/prompt.h"
#include "tui/reader.h"
#include "tui/screen.h"
#include "tui/stray_output.h"
#include "tui/theme_choice.h"
#include "tui/view_choices.h"

namespace tpulab {
namespace {

using Clock = Events::Clock;
using Kind = OutputLine::Kind;
using std::chrono::milliseconds;

constexpr auto frame_interval = milliseconds(100);  // for the engine's news, not for keys
constexpr auto held_interval = milliseconds(50);    // between looks whether `wait` is over
constexpr std::string_view paste_was_cut = "the paste was longer than 1 MiB and is cut";
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
  void use_theme();
  void handle_panes_key(std::string_view key);
  void handle_prompt_event(const InputEvent& event);
  void handle_escape();
  void handle_function_key(int number);
  void handle_view_event(const InputEvent& event);
  void interrupt();
  void stop_innermost();
  void take_typed();
  void show_reply(const Reply& reply);
  void offer(std::span<const OutputLine> lines, const std::string& title);
  void toggle_pause();
  bool has_run() const { return run_is_active(dialogue_.context()); }
  void take_snapshot();
  void draw();
  std::string hint_line() const;
  ScreenState screen_state() const;
  std::optional<Clock::time_point> next_deadline() const;

  Engine& engine_;
  Settings& settings_;
  Dialogue dialogue_;
  Glyphs glyphs_;
  Reader reader_;
  ThemeChoice theme_;
  Terminal terminal_;
  StrayOutput stray_;
  Events events_;
  Prompt prompt_;
  Keyboard keyboard_;

  std::shared_ptr<const Snapshot> now_;
  bool panes_focus_ = false;
  ViewChoices choices_;
  PanesKeys panes_keys_;
  std::string note_;  // until the next key
  bool published_ = true;
  Redraw redraw_ = Redraw::all;
  DrawnScreen drawn_;
  Clock::time_point next_frame_{};
  std::optional<int> exit_code_;
};

App::App(Engine& engine, Settings& settings, const AppOptions& options)
    : engine_(engine),
      settings_(settings),
      dialogue_(engine, settings, [this](const Reply& reply) { show_reply(reply); }),
      glyphs_(options.terminal.glyphs),
      reader_(dialogue_, glyphs_),
      theme_(options.theme),
      terminal_(options.terminal, theme_.theme_or_built_in(dialogue_.output())),
      events_(stray_.file()),
      prompt_([this](std::string_view line) { return completions(line, dialogue_.context()); },
              dialogue_.earlier_lines(), "␤"),
      now_(engine.latest()) {
  engine_.on_publish(events_.bell());
}

App::~App() { engine_.on_publish({}); }

int App::run(bool start_run) {
  draw();
  terminal_.ask_background();  // behind the first picture: whoever never answers holds up nothing
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
  if (dialogue_.awaits()) until = Clock::now() + held_interval;
  const auto typed = keyboard_.deadline();
  if (typed) until = std::min(until.value_or(*typed), *typed);
  return until;
}

void App::handle(const Happened& happened) {
  for (const int signal : happened.signals) handle_signal(signal);
  if (happened.input_ended) exit_code_ = 128 + SIGHUP;
  for (const auto& key : keyboard_.take(happened.input)) handle_event(key);
  if (happened.stray) dialogue_.output().add(Kind::warning, stray_.take());
  published_ = published_ || happened.engine || happened.stray;
  const auto before = dialogue_.output().count();
  dialogue_.advance();
  offer(dialogue_.output().since(before), "reply");
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

// Ctrl-C is for the innermost thing: a text over the panes, a search, what is typed; only then for
// what goes on.
void App::interrupt() {
  note_.clear();
  panes_keys_.forget();
  if (reader_.open()) {
    reader_.close();
  } else if (prompt_.searching() || !prompt_.empty()) {
    prompt_.clear_line();
  } else {
    stop_innermost();
  }
}

void App::stop_innermost() {
  if (dialogue_.held()) {
    dialogue_.drop_held();
    note_ = "Ctrl-C: the waiting commands are dropped; a second one is for the run";
  } else if (engine_.answering()) {
    dialogue_.execute("stop");
    note_ = "Ctrl-C: the answer is cancelled; a second one is for the run";
  } else if (has_run()) {
    dialogue_.execute("stop");
    note_ = "Ctrl-C: the run ends after its current step";
  } else {
    note_ = "nothing to stop; Ctrl-D or quit leaves";
  }
}

void App::use_theme() {
  terminal_.set_theme(theme_.theme_or_built_in(dialogue_.output()));
  redraw_ = Redraw::all;
}

void App::handle_event(const InputEvent& event) {
  if (event.key == Key::answer) {
    if (theme_.take_answer(event.text)) use_theme();
    return;
  }
  note_.clear();
  const bool letters_act = panes_focus_ || reader_.open();
  if (event.key == Key::text && !letters_act) return handle_prompt_event(event);
  redraw_ = Redraw::all;
  if (event.key == Key::text && event.text.size() > character_length(event.text.front())) {
    // One by one: the first letter may change what the second means.
    for (std::size_t at = 0; at < event.text.size();) {
      const auto length = character_length(event.text[at]);
      handle_event({Key::text, event.text.substr(at, length)});
      at += length;
    }
  } else if (event.key == Key::redraw) {
    terminal_.forget();
  } else if (event.key == Key::function) {
    handle_function_key(event.number);
  } else if (reader_.open()) {
    handle_view_event(event);
  } else if (event.key == Key::page_up || event.key == Key::page_down) {
    reader_.scroll_pages(event.key == Key::page_up ? 1 : -1);
  } else if (event.key == Key::escape) {
    handle_escape();
  } else if (panes_focus_ && event.key != Key::paste) {
    handle_panes_key(event.text);
  } else {
    panes_focus_ = false;
    handle_prompt_event(event);
  }
}

// What is typed over the text is meant for the prompt, and nothing of it may be lost: `quit` begins
// with a letter that closes a text. Only from the panes letters act on it.
void App::handle_view_event(const InputEvent& event) {
  const bool letter = event.key == Key::text && event.text.front() > ' ';
  const bool typed = !panes_focus_ && (letter || (event.text == " " && !prompt_.empty()));
  if (!typed && reader_.press(event)) return;
  if (event.key != Key::paste && (event.key != Key::text || panes_focus_)) return;
  panes_focus_ = false;
  reader_.close();
  handle_prompt_event(event);
}

void App::handle_function_key(int number) {
  if (number == 1) reader_.toggle_help();
  choices_.press_function(number);
  if (number == 3) reader_.toggle_output();
  if (number == 5) toggle_pause();
}

// ESC never reaches readline in its emacs mode: it would wait for a second key.
void App::handle_escape() {
  panes_keys_.forget();
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

void App::handle_panes_key(std::string_view key) {
  reader_.scroll(-line_step(key));
  choices_.press(key);
  const auto action = panes_keys_.press(key, has_run());
  note_ = panes_keys_.question();
  if (action == PanesAction::pause) toggle_pause();
  if (action == PanesAction::step) dialogue_.execute("step");
  if (action == PanesAction::run) dialogue_.execute("run");
  if (action == PanesAction::stop) dialogue_.execute("stop");
  if (action == PanesAction::help) reader_.toggle_help();
  if (action == PanesAction::quit) exit_code_ = 0;
  if (action == PanesAction::leave_panes) panes_focus_ = false;
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
  const auto before = dialogue_.output().count();
  for (const auto& line : prompt_.take_entered()) dialogue_.enter(line);
  reader_.show_reply(before);
  if (dialogue_.held()) note_ = "wait holds what follows until the run ends; Ctrl-C drops it";
  if (prompt_.take_end_of_input()) exit_code_ = 0;
}

void App::show_reply(const Reply& reply) {
  redraw_ = Redraw::all;
  reader_.scroll_to_newest();
  if (const auto& topic = reply.change.help_topic) {
    reader_.show(TextView(topic->empty() ? "help" : "help " + *topic, reply.lines));
  }
  if (reply.change.theme) {
    theme_.choose(*reply.change.theme, dialogue_.output());
    use_theme();
  }
  if (reply.change.quit) exit_code_ = 0;
}

void App::offer(std::span<const OutputLine> lines, const std::string& title) {
  const bool typing = !prompt_.empty() || panes_focus_;
  const bool was_open = reader_.open();
  if (!reader_.offer(lines, title, typing)) note_ = "a long answer has come: F3 shows the output";
  if (reader_.open() != was_open) redraw_ = Redraw::all;
}

// What is read back in the output stays in place when new lines come.
void App::take_snapshot() {
  now_ = engine_.latest();
  const auto before = dialogue_.output().count();
  const int added = dialogue_.output().take(*now_, engine_);
  if (reader_.output_scroll() > 0) reader_.scroll(added);
  std::vector<OutputLine> answer;
  std::ranges::copy_if(dialogue_.output().since(before), std::back_inserter(answer),
                       [](const OutputLine& line) { return line.event == answer_event; });
  offer(answer, "answer");
}

// The candidates above the prompt are not said a second time.
std::string App::hint_line() const {
  if (!note_.empty()) return note_;
  if (reader_.open()) return std::string(view_note);
  if (!prompt_.candidates().empty()) return "type on, or Tab after more letters";
  return hint(prompt_.line(), dialogue_.context());
}

ScreenState App::screen_state() const {
  ScreenState state;
  state.now = now_;
  state.view.glyphs = glyphs_;
  choices_.apply_to(state.view);
  state.view.output_scroll = reader_.output_scroll();
  state.view.output = dialogue_.output().lines();
  auto view = prompt_.view();
  state.prompt = std::move(view.prompt);
  state.line = std::move(view.line);
  state.cursor = view.cursor;
  state.completions = prompt_.candidates();
  state.hint = hint_line();
  if (reader_.open()) state.overlay = reader_.view().lines();
  state.overlay_title = reader_.view().title();
  state.overlay_scroll = reader_.view().scroll();
  if (panes_focus_ && !reader_.open()) {
    state.focus_note = note_.empty() ? std::string(panes_note) : note_;
  }
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
    reader_.measure(drawn_);
  } else {
    redraw_prompt(screen_state(), drawn_);
  }
  const int first_row = redraw_ == Redraw::all ? 0 : drawn_.cursor_row - 1;
  terminal_.show(drawn_, !panes_focus_ && !reader_.open(), first_row);
  redraw_ = Redraw::nothing;
}

}  // namespace

int run_app(Engine& engine, Settings& settings, const AppOptions& options) {
  return App(engine, settings, options).run(options.start_run);
}

}  // namespace tpulab
