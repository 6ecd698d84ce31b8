// The panes of a screen under test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/answers/speed_ups.h"
#include "tests/tui/example_snapshot.h"
#include "tui/walk/panes.h"

namespace tpulab {

// The panes of a screen, and what they asked of the rest.
class PanesTest : public testing::Test {
 protected:
  PanesTest() {
    static const auto program =
        std::make_shared<const PricedProgram>(estimated_program(Settings()));
    panes_.see(program);
    show(example_events_snapshot());
  }

  void show(Snapshot snapshot, int rows = 40, int columns = 120) {
    state_ = example_screen(std::move(snapshot));
    rows_ = rows;
    columns_ = columns;
    panes_.enter();
    draw();
    draw();  // the focus has found a pane
  }
  void draw() {
    panes_.apply_to(state_.view);
    state_.view.focused = panes_.focused() ? panes_.pane() : std::string_view();
    drawn_ = draw_screen(state_, rows_, columns_);
    panes_.see(state_.now, drawn_);
  }
  void press(std::string_view keys, Key kind = Key::text) {
    now_ += std::chrono::seconds(5);  // a slow hand: letters are keys
    panes_.press({kind, std::string(keys)}, now_);
    panes_.time_passes(now_ + std::chrono::seconds(1));
    draw();
  }
  void focus(std::string_view pane) {
    for (int i = 0; i < 8 && panes_.pane() != pane; ++i) press("\t");
    ASSERT_EQ(panes_.pane(), pane);
  }

  std::vector<PanesAction> acted_;
  std::string typed_;
  std::vector<Opened> opened_;
  int scrolled_ = 0;
  std::string sought_;
  bool has_run_ = false;
  ScreenState state_;
  DrawnScreen drawn_;
  int rows_ = 40;
  int columns_ = 120;
  Letters::Time now_{std::chrono::hours(1)};
  Panes panes_{[](std::string_view start) { return std::string_view("slice").starts_with(start); },
               {.act = [this](PanesAction action) { acted_.push_back(action); },
                .type = [this](std::string_view text) { typed_ += text; },
                .open = [this](const Opened& opened) { opened_.push_back(opened); },
                .scroll_output = [this](int lines) { scrolled_ += lines; },
                .find =
                    [this](std::string_view sought, bool back) {
                      sought_ = std::string(back ? "<" : ">") + std::string(sought);
                      return sought != "nowhere";
                    },
                .has_run = [this] { return has_run_; }}};
};

}  // namespace tpulab
