#include "tui/dashboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <utility>

#include "commands/answer.h"
#include "tui/remembered.h"
#include "tui/timeline/two_runs.h"

namespace tpulab {
namespace {

using Kind = OutputLine::Kind;
using std::chrono::milliseconds;

constexpr auto frame_interval = milliseconds(100);  // for the engine's news, not for keys
constexpr auto held_interval = milliseconds(50);    // between looks whether `wait` is over

constexpr std::string_view welcome_line =
    "first time here? 1 the default run  2 a straggler on a pod  3 look into a core";
constexpr std::string_view short_welcome_line =
    "press 1 the default run  2 a slow core of a pod  3 a core";

}  // namespace

Dashboard::Dashboard(Engine& engine, Settings& settings, const AppOptions& options)
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
      keeps_(options.history),
      now_(engine.latest()),
      advice_(engine, events_.bell()),
      welcome_(!remembered("welcomed")),
      panes_(
          [this](std::string_view start) {
            return !completions(start, dialogue_.context()).empty();
          },
          door()) {
  if (!options.history) dialogue_.keep_no_lines();
  engine_.on_publish(events_.bell());
}

Dashboard::~Dashboard() { engine_.on_publish({}); }

int Dashboard::run(bool start_run) {
  draw();
  terminal_.ask_background();  // behind the first picture: whoever never answers holds up nothing
  if (start_run) dialogue_.execute("run");
  while (!exit_code_) {
    if (redraw_ != Redraw::nothing || (published_ && Clock::now() >= next_frame_)) draw();
    handle(events_.wait(next_deadline()));
  }
  return *exit_code_;
}

std::optional<Dashboard::Clock::time_point> Dashboard::next_deadline() const {
  std::optional<Clock::time_point> until;
  if (published_) until = next_frame_;
  if (dialogue_.awaits()) until = Clock::now() + held_interval;
  for (const auto typed : {keyboard_.deadline(), panes_.deadline()}) {
    if (typed) until = std::min(until.value_or(*typed), *typed);
  }
  return until;
}

void Dashboard::handle(const Happened& happened) {
  for (const int signal : happened.signals) handle_signal(signal);
  if (happened.input_ended) exit_code_ = 128 + SIGHUP;
  for (const auto& key : keyboard_.take(happened.input)) handle_event(key);
  if (panes_.deadline() && Clock::now() >= *panes_.deadline()) {
    panes_.time_passes(Clock::now());
    redraw_ = Redraw::all;
  }
  if (happened.stray) dialogue_.output().add(Kind::warning, stray_.take());
  published_ = published_ || happened.engine || happened.stray;
  const auto before = dialogue_.output().count();
  const bool held = dialogue_.held();
  const bool of_lesson = in_lesson();  // before its last words end it
  dialogue_.advance();
  // What was held says it now, whether or not the engine has anything new.
  if (dialogue_.output().count() != before) redraw_ = Redraw::all;
  if (held && !dialogue_.held() && note_ == held_note) note_.clear();
  if (!std::exchange(compared_, false)) {
    offer(answers_since(before, true), reply_title, of_lesson);
  }
}

// What commands have answered, at once or, as an answer of the engine, later.
std::vector<OutputLine> Dashboard::answers_since(std::int64_t count, bool at_once) const {
  std::vector<OutputLine> answers;
  std::ranges::copy_if(dialogue_.output().since(count), std::back_inserter(answers),
                       [&](const OutputLine& line) {
                         return line.event == answer_event || (at_once && line.id == 0);
                       });
  return answers;
}

void Dashboard::handle_signal(int signal) {
  redraw_ = Redraw::all;
  switch (signal) {
    case SIGWINCH:
      terminal_.fit();
      break;
    case SIGTSTP:
      terminal_.suspend();
      if (const int last = ending_signal(); last != 0) exit_code_ = 128 + last;
      break;
    case SIGCONT:
      if (!exit_code_) terminal_.recover();
      break;
    case SIGINT:
      interrupt();
      break;
    default:
      exit_code_ = 128 + signal;
  }
}

void Dashboard::use_theme() {
  terminal_.set_theme(theme_.theme_or_built_in(dialogue_.output()));
  redraw_ = Redraw::all;
}

void Dashboard::choose_theme(const std::string& name) {
  if (theme_.choose(name, dialogue_.output())) {
    keep("theme", name);
    dialogue_.output().add(Kind::text, theme_.words(keeps_));
  }
  use_theme();
}

void Dashboard::keep(std::string_view name, std::string_view text) const {
  if (keeps_) remember(name, text);
}

void Dashboard::show_reply(const Reply& reply) {
  redraw_ = Redraw::all;
  reader_.scroll_to_newest();
  if (const auto& topic = reply.change.help_topic) {
    reader_.show(TextView(topic->empty() ? "help" : "help " + *topic, reply.lines));
  }
  if (reply.change.theme) choose_theme(*reply.change.theme);
  if (reply.change.freeze) panes_.freeze(*reply.change.freeze);
  if (reply.change.quit) exit_code_ = 0;
  compared_ = compared_ || show_compared(reply);
}

// `compare last` has its words in the output and both runs as strips, if the later one is the one
// on the screen and no lesson goes on, which talks about the words. Who types keeps the keyboard.
bool Dashboard::show_compared(const Reply& reply) {
  if (!reply.change.compared || dialogue_.context().lesson || reader_.open()) return false;
  const auto newest = engine_.latest();
  if (*reply.change.compared != newest->run.number || !two_runs(*newest)) return false;
  if (!prompt_.empty() || panes_.focused()) {
    note_ = "both runs are compared: F3 tells it in words, b in the panes shows both";
    return true;
  }
  panes_.enter();
  panes_.look_beside();
  note_ = "F3 tells it in words; + - zoom, Esc returns";
  return true;
}

void Dashboard::offer(std::span<const OutputLine> lines, std::string_view title, bool of_lesson) {
  const bool typing = !prompt_.empty() || panes_.focused();
  const bool was_open = reader_.open();
  const bool seen = of_lesson ? reader_.offer_of_lesson(lines, typing)
                              : reader_.offer(lines, std::string(title), typing);
  if (!seen) note_ = "a long answer has come: F3 shows the output";
  if (reader_.open() != was_open) redraw_ = Redraw::all;
}

// What is read back in the output stays in place when new lines come.
void Dashboard::take_snapshot() {
  const auto newest = engine_.latest();
  if (!panes_.frozen()) now_ = newest;
  const RunState state = newest->run.state;
  const bool under_way = state == RunState::training || state == RunState::paused;
  if (note_ == stop_note && !under_way) note_.clear();
  const auto before = dialogue_.output().count();
  const int added = dialogue_.output().take(*newest, engine_);
  if (reader_.output_scroll() > 0) reader_.scroll(added);
  offer(answers_since(before, false), answer_title, false);
}

std::string Dashboard::hint_line() const {
  if (!note_.empty()) return note_;
  if (reader_.open()) {
    if (reader_.view().reads_on()) return std::string(view_note_with_more);
    return std::string(panes_.focused() ? view_note_in_panes : view_note);
  }
  return hint(prompt_.line(), dialogue_.context());
}

// Kernels are priced where a pane shows them, and again when steps run another program. True if
// they are others now.
bool Dashboard::look_inside() {
  const auto shown = [](const PlacedPane& pane) {
    return pane.panel == "cores" || pane.panel == "profile" || pane.panel == "inside";
  };
  const std::int64_t newest = engine_.newest_programs();
  const bool wanted = panes_.wants_kernels() || std::ranges::any_of(drawn_.panes, shown);
  if (!wanted || priced_ == newest) return false;
  auto program = engine_.newest_program();
  priced_ = newest;
  panes_.see(program ? std::make_shared<const PricedProgram>(std::move(*program)) : nullptr);
  return true;
}

ScreenState Dashboard::screen_state() const {
  ScreenState state;
  state.now = now_;
  state.view.glyphs = glyphs_;
  panes_.apply_to(state.view);
  state.frozen = panes_.frozen();
  constexpr std::string_view applies = ", Enter applies";
  const int room = terminal_.columns() - 2;
  const bool narrow = room < display_width(welcome_line);
  if (!offers_only()) state.advice = advice_.line(*now_, room - display_width(applies));
  if (!state.advice.empty()) {
    state.advice += applies;
  } else if (welcome_) {
    state.advice = narrow ? short_welcome_line : welcome_line;
  }
  if (state.advice.empty()) state.advice = now_->run.slow.hidden_text(now_->run.bound);
  if (dialogue_.context().lesson) state.advice.clear();  // which may ask what is wrong
  state.view.output_scroll = reader_.output_scroll();
  state.view.output = dialogue_.output().lines();
  auto view = prompt_.view();
  state.prompt = std::move(view.prompt);
  state.line = std::move(view.line);
  state.cursor = view.cursor;
  if (!prompt_.candidates().empty()) state.completions = listed_;
  state.completion_page = listed_page_;
  state.hint = hint_line();
  if (reader_.open()) state.overlay = reader_.view().lines();
  state.overlay_title = reader_.view().title();
  state.overlay_scroll = reader_.view().scroll();
  if (panes_.focused() && !reader_.open()) {
    state.focus_note = note_.empty() ? panes_.key_row(terminal_.columns() - 2) : note_;
  }
  return state;
}

// Of a row of the output, which may not be there now: then inside a frame over the whole screen.
int Dashboard::room_for_answers() const {
  return drawn_.output.columns > 0 ? drawn_.output.columns : terminal_.columns() - 4;
}

// A key alone costs the prompt's rows; the newest snapshot is shown when a frame is due.
void Dashboard::draw() {
  const auto time = Clock::now();
  if (published_ && time >= next_frame_) {
    take_snapshot();
    published_ = false;
    next_frame_ = time + frame_interval;
    redraw_ = Redraw::all;
  }
  advice_.pass_over(dialogue_.context().run_of_lesson);
  advice_.look(*engine_.latest(), settings_);  // which may change without a new snapshot
  prompt_.set_prompt(fmt::format("tpulab:{}> ", settings_.slice));
  if (redraw_ == Redraw::all) {
    // A second time where the pane with the focus is gone and another one has it, or a pane has
    // come whose kernels are not there yet.
    std::string_view focused;
    bool priced = false;
    offered_ = offers_only() ? std::string() : advice_.take();
    do {
      focused = panes_.pane();
      drawn_ = draw_screen(screen_state(), terminal_.rows(), terminal_.columns());
      reader_.measure(drawn_);
      panes_.see(now_, drawn_);
      dialogue_.context().columns = static_cast<std::size_t>(std::max(1, room_for_answers()));
      priced = look_inside();
    } while (priced || (panes_.focused() && focused != panes_.pane()));
  } else {
    redraw_prompt(screen_state(), drawn_);
  }
  const int first_row = redraw_ == Redraw::all ? 0 : drawn_.cursor_row - 1;
  terminal_.show(drawn_, !panes_.focused() && !reader_.open(), first_row);
  redraw_ = Redraw::nothing;
}

}  // namespace tpulab
