// A text over the panes that can be scrolled and closed: help, a long reply, all of the output.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tui/terminal/input.h"

namespace tpulab {

class TextView {
 public:
  TextView() = default;
  TextView(std::string title, std::vector<std::string> lines, int scroll = 0)
      : open_(true), title_(std::move(title)), lines_(std::move(lines)), scroll_(scroll) {}

  bool open() const { return open_; }
  const std::string& title() const { return title_; }
  const std::vector<std::string>& lines() const { return lines_; }
  // Lines hidden above. It may go too far until limit_scroll().
  int scroll() const { return scroll_; }

  // Esc, q and Enter close; arrows, j, k, Space, Page keys, Ctrl-D and Ctrl-U, Home, End, g and G
  // scroll. False if the event means nothing here: then nothing has changed.
  bool press(const InputEvent& event, int page_lines);
  void to_end();
  // What the screen found to be the furthest that shows anything new.
  void limit_scroll(int furthest) { scroll_ = std::min(scroll_, furthest); }

 private:
  bool open_ = false;
  std::string title_;
  std::vector<std::string> lines_;
  int scroll_ = 0;
};

// Up or down by one line, in the forms of all terminals, and as j and k; 0 for anything else.
int line_step(std::string_view keys);

}  // namespace tpulab
