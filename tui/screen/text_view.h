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

  // A text that is read to its end, as what a lesson says is: Enter turns pages while there is
  // more.
  void read_on() { reads_on_ = true; }
  // Whether Enter would turn a page.
  bool reads_on() const { return reads_on_ && scroll_ < furthest_; }

  // Esc, q and Enter close; arrows, j, k, Space, Page keys, Ctrl-D and Ctrl-U, Home, End, g and G
  // scroll. False if the event means nothing here: then nothing has changed.
  bool press(const InputEvent& event, int page_lines);
  void to_end();
  // What the screen found to be the furthest that shows anything new.
  void limit_scroll(int furthest) {
    furthest_ = furthest;
    scroll_ = std::min(scroll_, furthest);
  }

 private:
  bool open_ = false;
  std::string title_;
  std::vector<std::string> lines_;
  int scroll_ = 0;
  int furthest_ = 0;  // as the screen found it; 0: not drawn yet
  bool reads_on_ = false;
};

// Up or down by one line, in the forms of all terminals, and as j and k; 0 for anything else.
int line_step(std::string_view keys);

}  // namespace tpulab
