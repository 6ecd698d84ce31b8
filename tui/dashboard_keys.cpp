#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "commands/lessons/player.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "tui/dashboard.h"
#include "tui/draw/screen_file.h"
#include "tui/screen/clean_text.h"

namespace tpulab {
namespace {

constexpr std::string_view paste_was_cut = "the paste was longer than 1 MiB and is cut";

}  // namespace

// What the panes cannot do themselves.
Panes::Door Dashboard::door() {
  return {.act = [this](PanesAction action) { act(action); },
          .type =
              [this](std::string_view text) {
                panes_.leave();
                handle_prompt_event({Key::text, std::string(text)});
              },
          .open = [this](const Opened& opened) { open_chosen(opened); },
          .scroll_output = [this](int lines) { reader_.scroll(lines); },
          .find = [this](std::string_view sought, bool back) { return reader_.find(sought, back); },
          .has_run = [this] { return has_run(); }};
}

// Ctrl-C is for the innermost thing: a text over the panes, a search, what is typed; only then for
// what goes on.
void Dashboard::interrupt() {
  note_.clear();
  panes_.forget();
  if (reader_.open()) {
    reader_.close();
  } else if (prompt_.searching() || !prompt_.empty()) {
    prompt_.clear_line();
  } else {
    stop_innermost();
  }
}

void Dashboard::stop_innermost() {
  if (dialogue_.held()) {
    dialogue_.drop_held();
    note_ = "Ctrl-C: the waiting commands are dropped; a second one is for the run";
  } else if (engine_.answering()) {
    dialogue_.execute("stop");
    note_ = "Ctrl-C: the answer is cancelled; a second one is for the run";
  } else if (has_run()) {
    dialogue_.execute("stop");
    note_ = stop_note;
  } else {
    note_ = "nothing to stop; Ctrl-D or quit leaves";
  }
}

void Dashboard::handle_event(const InputEvent& event) {
  if (event.key == Key::answer) {
    if (theme_.take_answer(event.text)) use_theme();
    return;
  }
  note_.clear();
  if (begins_answer(event)) panes_.leave();
  const bool letters_act = panes_.focused() || reader_.open();
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
    panes_.press_function(event.number);
  } else if (event.key >= Key::click && event.key <= Key::wheel_down) {
    handle_mouse(event);
  } else if (reader_.open()) {
    handle_view_event(event);
  } else if (event.key == Key::page_up || event.key == Key::page_down) {
    reader_.scroll_pages(event.key == Key::page_up ? 1 : -1);
  } else if (event.key == Key::escape) {
    handle_escape();
  } else if (panes_.focused() && event.key != Key::paste) {
    panes_.press(event, Clock::now());
  } else {
    panes_.leave();
    handle_prompt_event(event);
  }
}

// Of a lesson that asks, which stands beside the panes.
bool Dashboard::begins_answer(const InputEvent& event) const {
  const auto& lesson = dialogue_.context().lesson;
  return event.key == Key::text && is_digit(event.text.front()) && !panes_.searching() && lesson &&
         lesson->asks();
}

void Dashboard::handle_mouse(const InputEvent& event) {
  constexpr int wheel_lines = 3;
  const int lines = event.key == Key::wheel_up ? wheel_lines : -wheel_lines;
  if (reader_.open()) {
    const std::string arrow = lines > 0 ? "\x1b[A" : "\x1b[B";
    if (event.key == Key::click) return reader_.close();
    for (int i = 0; i < wheel_lines; ++i) reader_.press({Key::sequence, arrow});
  } else if (event.key != Key::click) {
    reader_.scroll(lines);
  } else if (!panes_.click(event.row, event.column)) {
    panes_.leave();
  }
}

// What is typed over the text is meant for the prompt, and nothing of it may be lost: `quit` begins
// with a letter that closes a text. Only from the panes letters act on it.
void Dashboard::handle_view_event(const InputEvent& event) {
  const bool letter = event.key == Key::text && event.text.front() > ' ';
  const bool typed = !panes_.focused() && (letter || (event.text == " " && !prompt_.empty()));
  if (!typed && reader_.press(event)) return;
  if (panes_.focused() && event.text == "y") return copy();
  if (event.key != Key::paste && (event.key != Key::text || panes_.focused())) return;
  panes_.leave();
  reader_.close();
  handle_prompt_event(event);
}

// ESC never reaches readline in its emacs mode: it would wait for a second key.
void Dashboard::handle_escape() {
  if (prompt_.searching()) {
    prompt_.end_search();
  } else if (panes_.focused()) {
    panes_.escape();
  } else if (prompt_.empty()) {
    panes_.enter();
  } else if (prompt_.wants_escape()) {
    prompt_.type("\x1b");
  }
}

void Dashboard::toggle_pause() {
  if (has_run()) {
    dialogue_.execute(engine_.latest()->run.state == RunState::paused ? "resume" : "pause");
  } else {
    note_ = "no run to pause; `run` starts one";
  }
}

void Dashboard::act(PanesAction action) {
  switch (action) {
    case PanesAction::pause:
      return toggle_pause();
    case PanesAction::step:
      dialogue_.execute("step");
      return;
    case PanesAction::run:
      dialogue_.execute("run");
      return;
    case PanesAction::stop:
      dialogue_.execute("stop");
      return;
    case PanesAction::quit:
      exit_code_ = 0;
      return;
    default:
      return act_on_screen(action);
  }
}

void Dashboard::act_on_screen(PanesAction action) {
  if (action == PanesAction::keys) reader_.toggle_keys();
  if (action == PanesAction::help) reader_.toggle_help();
  if (action == PanesAction::output) reader_.toggle_output();
  if (action == PanesAction::copy) copy();
  if (action == PanesAction::save) save();
  if (action == PanesAction::map_metric)
    note_ = "the map shows a pod as it runs: try slice v3-2048";
  if (action != PanesAction::mouse) return;
  terminal_.use_mouse(!terminal_.mouse());
  note_ = terminal_.mouse() ? "the mouse is on: a click focuses a pane, Shift selects text"
                            : "the mouse is off: the terminal selects text with it";
}

void Dashboard::open_chosen(const Opened& opened) {
  const auto before = dialogue_.output().count();
  if (!opened.command.empty()) dialogue_.execute(opened.command);
  reader_.open_chosen(opened, before, engine_.answering());
}

// Of a text over the panes, else of the pane.
void Dashboard::copy() {
  const std::string text = reader_.open()
                               ? fmt::format("{}\n", fmt::join(reader_.view().lines(), "\n"))
                               : pane_text(screen_state(), drawn_, panes_.pane());
  terminal_.copy(text);
  note_ = fmt::format("{} copied; where nothing arrives, the terminal does not allow OSC 52",
                      count_with(std::ranges::count(text, '\n'), "line"));
}

void Dashboard::save() {
  try {
    const std::string name =
        save_screen(drawn_.canvas, theme_.theme(), std::filesystem::current_path());
    note_ = fmt::format("the screen is saved as {}, and as text beside it", name);
  } catch (const std::exception& error) {
    note_ = error.what();
  }
}

// On an empty line Enter does what the line under the status offers, or a digit what the first one
// offers, until the first command. It comes on no other start.
bool Dashboard::press_on_advice(const InputEvent& event) {
  if (event.key != Key::text || !prompt_.empty() || prompt_.searching() || drawn_.advice_row < 0) {
    return false;
  }
  // Who presses Enter behind the digit at once means the digit.
  const char key = event.text.front();
  if (welcome_ && key >= '1' && key <= '3' && event.text.find_last_not_of("\r\n") == 0) {
    welcome(key);
    return true;
  }
  const bool enter = event.text == "\r" || event.text == "\n";
  if (!enter || offered_.empty()) return false;
  const std::string command = std::exchange(offered_, {});
  welcome_ = false;  // a reset would undo it
  advice_.promise(command, dialogue_.context());
  note_ = dialogue_.execute(command) ? "the advice is applied; run tells what it gains"
                                     : "the advice was refused; the output says why";
  return true;
}

// An Enter right behind the key is not meant for what was said of the run before.
void Dashboard::begin_run(const std::string& commands) {
  offered_.clear();
  advice_.pass_over(engine_.latest()->run.number);
  dialogue_.execute(commands);
}

void Dashboard::welcome(char key) {
  welcomed_ = true;
  keep("welcomed", "yes");
  redraw_ = Redraw::all;
  if (key == '2') {
    // Its devices bind: a host that traces would hide the slow one.
    begin_run("set slice=v3-2048 model=resnet50 numbers=off straggler=core:77:1.4; run");
    return;
  }
  const bool is_default = settings_ == dialogue_.context().defaults;  // else the 2 was pressed
  if (key == '1' && !is_default) dialogue_.execute("reset settings");
  if (key == '1' || !has_run()) begin_run("run");
  if (key != '3') return;
  panes_.enter();
  panes_.look_inside();
}

void Dashboard::handle_prompt_event(const InputEvent& event) {
  if (press_on_advice(event)) {
    redraw_ = Redraw::all;
    return;
  }
  const bool listed = !listed_.empty();
  const std::string line_before = prompt_.line_before_cursor();
  if (event.key == Key::sequence) prompt_.press(event.text);
  if (event.key == Key::text) prompt_.type(event.text);
  if (event.key == Key::paste) {
    prompt_.paste(event.text);
    if (event.clipped) dialogue_.output().add(OutputLine::Kind::warning, paste_was_cut);
  }
  list_candidates(line_before);
  const bool only_prompt = !listed && listed_.empty();
  redraw_ = std::max(redraw_, only_prompt ? Redraw::prompt : Redraw::all);
  take_typed();
}

// Tab again, where it could add nothing, turns the page.
void Dashboard::list_candidates(std::string_view line_before) {
  const std::vector<std::string>& candidates = prompt_.candidates();
  const std::string line = prompt_.line_before_cursor();
  if (!candidates.empty() && !listed_.empty() && line == line_before) {
    ++listed_page_;
    return;
  }
  listed_page_ = 0;
  listed_ = candidates.empty() ? std::vector<Candidate>()
                               : described(line, candidates, dialogue_.context());
}

void Dashboard::take_typed() {
  const auto before = dialogue_.output().count();
  bool of_lesson = false;
  for (const auto& line : prompt_.take_entered()) {
    of_lesson = line.empty() && in_lesson();
    if (!line.empty()) offered_.clear();
    if (!line.empty() && std::exchange(welcome_, false)) keep("welcomed", "yes");
    dialogue_.enter(line);
  }
  const bool in_view = std::exchange(compared_, false) || reader_.show_reply(before, of_lesson);
  if (!in_view) note_ = "F3 shows all replies";
  if (dialogue_.held()) note_ = held_note;
  if (prompt_.take_end_of_input()) exit_code_ = 0;
}

}  // namespace tpulab
