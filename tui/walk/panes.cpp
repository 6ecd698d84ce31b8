#include "tui/walk/panes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/session/answers/priced_program.h"
#include "tui/cores/core_views.h"
#include "tui/timeline/two_runs.h"
#include "tui/timeline/words.h"

namespace tpulab {

namespace {

using enum PanesAction;

constexpr auto tick = std::chrono::milliseconds(100);
constexpr std::int64_t ticks_of_a_product = 150;

// Those in which a matrix unit works, as the panel has them.
const ProductTiles* product_of(const PricedProgram* program, int chosen) {
  if (program == nullptr) return nullptr;
  const ProductTiles* last = nullptr;
  for (const KernelRow& row : program->kernels) {
    if (row.products.empty()) continue;
    last = &row.products.front();
    if (chosen-- == 0) break;
  }
  return last;
}

}  // namespace

Panes::Panes(Letters::BeginsWord begins_word, Door door)
    : door_(std::move(door)), letters_(std::move(begins_word)) {}

void Panes::leave() {
  focused_ = false;
  typed_search_.reset();
  note_.clear();
  keys_.forget();
}

void Panes::escape() {
  note_.clear();
  keys_.forget();
  if (typed_search_ || (!sought_kernel_.empty() && among_kernels())) {
    typed_search_.reset();
    if (among_kernels()) sought_kernel_.clear();
  } else if (!choices_.zoomed().empty()) {
    choices_.zoom({});
  } else {
    leave();
  }
}

void Panes::press(const InputEvent& event, Time at) {
  note_.clear();
  at_ = at;
  if (typed_search_) return type_search(event.text);
  if (event.text.size() == 1 && event.text.front() > ' ') return press_letter(event.text[0], at);
  take(letters_.passed(Time::max()));
  const PaneKey* key = pane_key(event.text);
  if (key != nullptr) return press_key(*key);
  keys_.forget();
  if (event.key == Key::text && event.text.front() > ' ') door_.type(event.text);
}

// What changes the run cannot be taken back when the letter turns out to be a word's first.
void Panes::press_letter(char letter, Time at) {
  const PaneKey* key = pane_key(std::string_view(&letter, 1));
  const bool waits =
      key != nullptr && (key->action == pause || key->action == step || key->action == run ||
                         key->action == stop || key->action == quit);
  const auto meaning = letters_.press(letter, key != nullptr, waits, at);
  if (meaning.takes_back) choices_ = choices_before_;
  take(meaning);
  if (key == nullptr && meaning.word.empty()) {
    note_ = fmt::format("'{}' is no key here: ? lists them, : goes to the prompt", letter);
  }
}

void Panes::take(const Letters::Meaning& meaning) {
  for (const char letter : meaning.keys) {
    if (const PaneKey* key = pane_key(std::string_view(&letter, 1))) press_key(*key);
  }
  if (meaning.word.empty()) return;
  leave();
  door_.type(meaning.word);
}

void Panes::time_passes(Time at) {
  take(letters_.passed(at));
  if (!next_tick_ || at < *next_tick_) return;
  clock_ += std::max<std::int64_t>(1, clocks() / ticks_of_a_product);
  next_tick_ = at + tick;
  if (!inside() || clock_ >= clocks()) next_tick_.reset();
}

std::optional<Panes::Time> Panes::deadline() const {
  const auto letter = letters_.deadline();
  if (!next_tick_) return letter;
  return std::min(letter.value_or(*next_tick_), *next_tick_);
}

void Panes::press_key(const PaneKey& key) {
  choices_before_ = choices_;
  act(keys_.press(key, door_.has_run()));
}

void Panes::press_function(int number) {
  note_.clear();
  const PaneKey* key = pane_key(number);
  if (number == 8) {
    choices_.zoom_next();
  } else if (key != nullptr) {
    act(key->action);
  }
}

void Panes::act(PanesAction action) {
  if (action == leave_panes) return leave();
  if (action != nothing && !act_here(action)) door_.act(action);
}

bool Panes::act_here(PanesAction action) {
  switch (action) {
    case next_pane:
      return turn(1), true;
    case earlier_pane:
      return turn(-1), true;
    case up:
      return go(-1, 0), true;
    case down:
      return go(1, 0), true;
    case left:
      return go(0, -1), true;
    case right:
      return go(0, 1), true;
    case PanesAction::open:
      return open(), true;
    case zoom:
      return choices_.zoom(choices_.zoomed().empty() ? walk_.pane() : std::string_view()), true;
    case PanesAction::inside:
      return inside() ? choices_.zoom({}) : look_inside(), true;
    case profile:
      return choices_.zoom(choices_.zoomed() == "profile" ? "" : "profile"), true;
    case PanesAction::timeline:
      return choices_.zoom(choices_.zoomed() == "timeline" ? "" : "timeline"), true;
    case PanesAction::beside:
      return choices_.zoom(choices_.zoomed() == "beside" ? "" : "beside"), true;
    case zoom_in:
      return turn_time({.factor = 0.5}), true;
    case zoom_out:
      return turn_time({.factor = 2}), true;
    case all_time:
      if (const auto pane = time_pane()) pane->view->per_column = 0;
      return true;
    case pan_left:
      return turn_time({.half_screens = -1}), true;
    case pan_right:
      return turn_time({.half_screens = 1}), true;
    case first:
    case last:
      return go_to_end(action == last), true;
    case play:
      if (clock_ >= clocks()) clock_ = 0;
      next_tick_ = next_tick_ ? std::nullopt : std::optional(at_ + tick);
      return true;
    case search:
      among_kernels() ? sought_kernel_.clear() : show_output();
      return typed_search_.emplace(), true;
    case next_match:
      return find(true), true;
    case earlier_match:
      return find(false), true;
    case map_metric:
      return now_ && has_map(*now_) && choices_.press(action);
    default:
      return choices_.press(action);
  }
}

void Panes::turn(int panes) {
  if (choices_.zoomed().empty()) return walk_.turn(panes);
  choices_.zoom_next(panes);
  if (choices_.zoomed().empty()) choices_.zoom_next(panes);  // none is not among them here
}

// What can be chosen lies in rows, or side by side; at its end the way goes on to the next pane.
void Panes::go(int rows, int columns) {
  if (walk_.pane().empty() || !now_) return;
  if (walk_.pane() == "output" && rows != 0) return door_.scroll_output(-rows);
  if (walk_.pane() == "inside" && columns != 0) return step_clocks(columns);
  if (columns != 0 && time_pane()) return turn_time({.cursor = columns});
  if (among_kernels() && columns != 0) return choices_.sort_kernels(columns);
  const Panel& panel = panel_named(walk_.pane());
  if (walk_.pane() == "inside") clock_ = 0;
  if (panel.neighbour != nullptr) {
    const std::optional<int> next = panel.neighbour(*now_, view(), rows, columns);
    if (next && *next >= 0) return walk_.choose(walk_.pane(), *next);
    if (next) return void(walk_.go(rows, columns));
  }
  const int by = panel.side_by_side ? columns : rows;
  if (by != 0 && panel.items != nullptr && walk_.move(by, panel.items(*now_, view()))) return;
  walk_.go(rows, columns);
}

// Of the timeline the last moment is the newest, whatever comes yet.
void Panes::go_to_end(bool last) {
  constexpr int furthest = 1 << 20;
  if (walk_.pane().empty() || !now_) return;
  if (walk_.pane() == "output") return door_.scroll_output(last ? -furthest : furthest);
  if (const auto pane = time_pane()) {
    pane->view->from = pane->run->span().start;
    pane->view->cursor = last ? Picoseconds{-1} : pane->view->from;
    return;
  }
  const Panel& panel = panel_named(walk_.pane());
  if (walk_.pane() == "inside") clock_ = 0;
  if (panel.items == nullptr) return;
  const int items = panel.items(*now_, view());
  if (items > 0) walk_.choose(walk_.pane(), last ? items - 1 : 0);
}

std::int64_t Panes::clocks() const {
  const ProductTiles* product = product_of(program_.get(), walk_.chosen());
  return product == nullptr ? 0 : product->clocks;
}

Rect Panes::pane_area() const {
  const auto pane = std::ranges::find(walk_.panes(), walk_.pane(), &PlacedPane::panel);
  return pane == walk_.panes().end() ? Rect{} : inside_of(*pane);
}

std::optional<Panes::TimePane> Panes::time_pane() {
  if (!now_ || now_->timeline == nullptr) return std::nullopt;
  if (walk_.pane() == "timeline") return TimePane{&time_, now_->timeline.get()};
  if (walk_.pane() != "beside") return std::nullopt;
  const auto runs = two_runs(*now_);
  if (!runs) return std::nullopt;
  const std::size_t leads = leading_run(*runs, timeline_columns(pane_area().columns));
  return TimePane{&beside_, (*runs)[leads].timeline};
}

void Panes::turn_time(const TimeTurn& turn) {
  const auto pane = time_pane();
  if (!pane) {
    note_ = "that is for the timeline of a run: t shows it";
    return;
  }
  const RunTimeline& run = *pane->run;
  TimeView& view = *pane->view;
  const int columns = timeline_columns(pane_area().columns);
  const TimeSpan whole = run.span();
  if (columns < 1) return;
  if (turn.factor != 1) view = zoomed(view, turn.factor, whole, columns, run.compiles);
  if (turn.cursor != 0) view = moved(view, turn.cursor, whole, columns, run.compiles);
  if (turn.half_screens == 0) return;
  view = panned(view, turn.half_screens * std::max(1, columns / 2), whole, columns, run.compiles);
}

// The cursor to the column that was clicked.
void Panes::choose_time(int column) {
  const auto turned = time_pane();
  if (!turned) return;
  const Rect inner = pane_area();
  const int at = column - inner.column - timeline_label_columns - 1;
  const TimeAxis axis = timeline_axis(*turned->run, *turned->view, timeline_columns(inner.columns));
  if (at < 0 || at >= axis.columns()) return;
  const TimeSpan whole = turned->run->span();
  turned->view->cursor = std::clamp(axis.time_at(at + 0.5), whole.start, whole.end);
}

// An eighth of the array's side, or to where another phase begins if that is nearer.
void Panes::step_clocks(int direction) {
  const ProductTiles* product = product_of(program_.get(), walk_.chosen());
  if (product == nullptr) return;
  const std::int64_t step = product->side / 8;
  const std::int64_t now = std::clamp<std::int64_t>(clock_, 0, product->clocks - 1);
  std::int64_t target = std::clamp<std::int64_t>(now + direction * step, 0, product->clocks - 1);
  for (std::int64_t at = now + direction; direction > 0 ? at < target : at > target;
       at += direction) {
    const UnitMoment here = unit_moment(*product, at);
    const UnitMoment before = unit_moment(*product, at - 1);
    if (here.phase == before.phase && here.tile == before.tile) continue;
    target = at;
    break;
  }
  clock_ = target;
}

void Panes::open() {
  if (walk_.pane().empty() || !now_) return;
  if (walk_.pane() == "output") return door_.act(output);
  const Panel& panel = panel_named(walk_.pane());
  if (panel.open == nullptr) return act(zoom);
  door_.open(panel.open(*now_, view()));
}

bool Panes::click(int row, int column) {
  const PlacedPane* hit = nullptr;
  for (const PlacedPane& pane : walk_.panes()) {
    const Rect& area = pane.area;
    const bool inside = row >= area.row && row < area.row + area.rows && column >= area.column &&
                        column < area.column + area.columns;
    if (inside) hit = &pane;
  }
  if (hit == nullptr) return false;
  const int item = screen_.item_at(row, column);
  const bool again = focused_ && walk_.pane() == hit->panel && item >= 0 && walk_.chosen() == item;
  typed_search_.reset();
  walk_.choose(hit->panel, item);
  focused_ = true;
  if (item < 0) choose_time(column);
  if (again) open();
  return true;
}

// The kernels are searched while it is typed.
void Panes::type_search(std::string_view text) {
  const bool ends = text == "\r" || text == "\n";
  if (ends && among_kernels()) {
    typed_search_.reset();
  } else if (ends) {
    sought_ = *std::exchange(typed_search_, std::nullopt);
    if (!sought_.empty()) find(true);
  } else if (text == "\x7f" || text == "\b") {
    std::string& typed = *typed_search_;
    while (!typed.empty() && is_continuation(typed.back())) typed.pop_back();
    if (!typed.empty()) typed.pop_back();
  } else if (!text.empty() && static_cast<unsigned char>(text.front()) >= ' ') {
    *typed_search_ += text;
  }
  if (typed_search_ && among_kernels()) sought_kernel_ = *typed_search_;
}

// What is found must be seen, whatever pane has the screen.
void Panes::show_output() {
  if (!choices_.zoomed().empty()) choices_.zoom("output");
}

void Panes::find(bool back) {
  if (among_kernels()) return go(back ? 1 : -1, 0);
  show_output();
  if (sought_.empty()) {
    note_ = "nothing was searched for: / does";
  } else if (!door_.find(sought_, back)) {
    note_ =
        fmt::format("'{}' is nowhere {} in the output", sought_, back ? "further back" : "after");
  }
}

void Panes::see(std::shared_ptr<const Snapshot> now, const DrawnScreen& drawn) {
  if (now_ && now->run.number != now_->run.number) time_ = beside_ = {};
  now_ = std::move(now);
  choices_.see_fitting(fitting_metric(*now_));
  walk_.see(drawn.panes);
  screen_ = drawn.canvas;
}

ViewState Panes::view() const {
  ViewState view;
  apply_to(view);
  view.each_device = view.each_device || !view.zoomed.empty();  // as the screen draws it
  return view;
}

void Panes::apply_to(ViewState& view) const {
  choices_.apply_to(view);
  view.sought = sought_;
  view.sought_kernel = sought_kernel_;
  view.program = program_.get();
  view.clock = clock_;
  view.time = time_;
  view.beside = beside_;
  if (!focused_) return;
  view.focused = walk_.pane();
  view.chosen = walk_.chosen();
  view.pane_columns = pane_area().columns;
  view.pane_rows = pane_area().rows;
}

std::string Panes::key_row(int columns) const {
  if (typed_search_) {
    return fmt::format("search the {}: {}_", among_kernels() ? "kernels" : "output",
                       *typed_search_);
  }
  if (!keys_.question().empty()) return keys_.question();
  if (!note_.empty()) return note_;
  return titled_key_row(pane(), pane().empty() ? "panes" : panel_named(pane()).title, columns);
}

}  // namespace tpulab
