// Walking through the panes with keys and clicks: the focus, what is chosen and opened, what is
// searched, and the letters that turn out to be a word for the prompt.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tui/screen/screen.h"
#include "tui/terminal/input.h"
#include "tui/walk/letters.h"
#include "tui/walk/panes_keys.h"
#include "tui/walk/view_choices.h"
#include "tui/walk/walk.h"

namespace tpulab {

class Panes {
 public:
  using Time = Letters::Time;
  // What the panes ask of the rest of the screen.
  struct Door {
    std::function<void(PanesAction)> act;        // on the run, the terminal, the texts
    std::function<void(std::string_view)> type;  // what is for the prompt, which has the focus then
    std::function<void(const Opened&)> open;
    std::function<void(int)> scroll_output;  // lines back
    // The next line with it, further back or nearer; false if there is none.
    std::function<bool(std::string_view, bool)> find;
    std::function<bool()> has_run;
  };
  Panes(Letters::BeginsWord begins_word, Door door);

  bool focused() const { return focused_; }
  bool searching() const { return typed_search_.has_value(); }
  bool frozen() const { return choices_.frozen(); }
  void freeze(bool still) { choices_.freeze(still); }
  std::string_view pane() const { return walk_.pane(); }
  void enter() { focused_ = true; }
  void look_inside() {
    clock_ = 0;
    choices_.zoom("inside");
  }
  void look_beside() { choices_.zoom("beside"); }
  void leave();
  // One level back: out of a search, of a zoomed pane, of the panes.
  void escape();
  // Text or an escape sequence while the panes have the focus.
  void press(const InputEvent& event, Time at);
  // F1 to F12, wherever the focus is.
  void press_function(int number);
  // On the newest screen; true if it hit a pane, which has the focus then.
  bool click(int row, int column);
  // A letter that waited for the rest of a word acts.
  void time_passes(Time at);
  std::optional<Time> deadline() const;
  // Whether a core is looked into, for which the newest step's kernels are wanted; and these.
  bool inside() const { return choices_.zoomed() == "inside"; }
  bool wants_kernels() const {
    return inside() || choices_.zoomed() == "profile" || choices_.metric() == MapMetric::link;
  }
  void see(std::shared_ptr<const PricedProgram> program) { program_ = std::move(program); }
  // Any key in another place: what was asked is answered.
  void forget() { keys_.forget(); }

  void see(std::shared_ptr<const Snapshot> now, const DrawnScreen& drawn);
  void apply_to(ViewState& view) const;
  // The row above the prompt: a question, a search, or the keys of the pane.
  std::string key_row(int columns) const;

 private:
  void press_letter(char letter, Time at);
  void take(const Letters::Meaning& meaning);
  void press_key(const PaneKey& key);
  void act(PanesAction action);
  bool act_here(PanesAction action);
  // Their list has the focus.
  bool among_kernels() const { return walk_.pane() == "profile"; }
  void turn(int panes);
  void go(int rows, int columns);
  void go_to_end(bool last);
  void open();
  void step_clocks(int direction);
  struct TimeTurn {
    double factor = 1;  // below 1: closer
    int cursor = 0;     // columns
    int half_screens = 0;
  };
  void turn_time(const TimeTurn& turn);
  void choose_time(int column);
  Rect pane_area() const;  // inside its edge
  // Of the pane with the focus: the view that its keys turn, and of what it is; none elsewhere.
  struct TimePane {
    TimeView* view = nullptr;
    const RunTimeline* run = nullptr;
  };
  std::optional<TimePane> time_pane();
  std::int64_t clocks() const;
  void type_search(std::string_view text);
  void show_output();
  void find(bool back);
  ViewState view() const;

  Door door_;
  Letters letters_;
  bool focused_ = false;
  Walk walk_;
  ViewChoices choices_;
  ViewChoices choices_before_;  // the newest letter
  PanesKeys keys_;
  std::optional<std::string> typed_search_;
  std::string sought_;         // in the output
  std::string sought_kernel_;  // in the list of kernels
  std::string note_;           // until the next key
  std::shared_ptr<const Snapshot> now_;
  std::shared_ptr<const PricedProgram> program_;
  std::int64_t clock_ = 0;         // inside a core
  TimeView time_;                  // of the timeline
  TimeView beside_;                // of two runs
  Time at_{};                      // of the newest key
  std::optional<Time> next_tick_;  // while its clocks are played
  Canvas screen_;                  // as it was drawn, to know what is clicked
};

}  // namespace tpulab
