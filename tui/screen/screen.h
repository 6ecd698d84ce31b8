// The whole screen as a function: a state -> cells and a cursor position.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/candidate_words.h"
#include "tui/panels/panel.h"
#include "tui/screen/layout.h"

namespace tpulab {

// Everything the screen shows at one moment; a value, so that tests can draw it.
struct ScreenState {
  std::shared_ptr<const Snapshot> now;  // never null
  ViewState view;
  std::string prompt;                  // "tpulab:v3-8> " or readline's "(reverse-i-search)`ba': "
  std::string line;                    // what is typed, UTF-8
  std::size_t cursor = 0;              // byte offset into line
  std::string hint;                    // usage of what is being typed, or completion list
  std::vector<Candidate> completions;  // listed above the prompt when not empty
  int completion_page = 0;             // of those that do not fit; counts round and round
  std::optional<std::vector<std::string>> overlay;  // help text lines over the panes
  std::string overlay_title;
  int overlay_scroll = 0;
  // What single letters do while the panes have the focus; empty: the prompt has it.
  std::string focus_note;
  bool frozen = false;  // the figures are held still
  std::string advice;   // under the status line, or as a hint; empty: nothing helps
};

struct DrawnScreen {
  Canvas canvas;
  int cursor_row = 0;
  int cursor_column = 0;
  int overlay_scroll_limit = 0;   // the furthest that overlay_scroll has an effect
  int overlay_rows = 1;           // of its text seen at once
  Rect output{};                  // where the output's lines are
  int advice_row = -1;            // where it is; -1: nowhere
  int completion_pages = 0;       // that the list above the prompt takes
  std::vector<PlacedPane> panes;  // what the keys can walk to, in the order of the screen
};

// Never throws for any size down to 1x1.
DrawnScreen draw_screen(const ScreenState& state, int rows, int columns);
// Draws only the hint and the prompt anew, for a key that changes nothing else.
void redraw_prompt(const ScreenState& state, DrawnScreen& drawn);

}  // namespace tpulab
