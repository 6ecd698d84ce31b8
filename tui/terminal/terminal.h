// The real terminal: shows a Canvas and gives everything back as it was. The only file that knows
// ncurses.
#pragma once

#include <termios.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tui/draw/theme.h"
#include "tui/screen/screen.h"

namespace tpulab {

struct TerminalOptions {
  std::string color = "auto";  // auto, never, 16, 256, truecolor
  Glyphs glyphs = Glyphs::unicode;
  bool mouse = true;
  bool suspends = true;  // Ctrl-Z stops the program; false: whoever started it would not notice
};

// Makes the process read and measure text as UTF-8. False if the terminal itself shows something
// else (by LC_ALL, LC_CTYPE, LANG): then only ASCII may be written. Call before any thread starts.
bool use_utf8_locale();

// Why there can be no dashboard here, for people; empty if there can.
std::string why_no_dashboard();

// Opens the alternate screen on construction and closes it on destruction, also if the program
// crashes in between. One thread only, one at a time.
class Terminal {
 public:
  // Throws Error if the terminal cannot be opened.
  Terminal(const TerminalOptions& options, const Theme& theme);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int rows() const { return rows_; }
  int columns() const { return columns_; }

  void set_theme(const Theme& theme);
  // Asks for the background's colour (OSC 11); the answer comes as a key, or never.
  void ask_background() const;
  // Clicks and the wheel come as keys; off, the terminal itself selects text with them.
  void use_mouse(bool on);
  bool mouse() const { return mouse_; }
  // Asks the terminal to keep the text for pasting (OSC 52); most do, some must be told to.
  void copy(std::string_view text) const;
  // Writes only the cells that differ from the screen; nothing at all if none does. Rows above
  // `first_row` are taken to be as they were shown.
  void show(const DrawnScreen& drawn, bool cursor_visible, int first_row = 0);
  // Takes the terminal's size again, after SIGWINCH.
  void fit();
  // Next show() draws every cell, whatever others have written.
  void forget();
  // Gives the terminal back, stops the process as the shell expects, and returns when it goes on.
  void suspend();
  // Takes the terminal again after a stop that was not announced (SIGSTOP, then SIGCONT).
  void recover();

 private:
  struct Screen;
  void enter_modes();
  void leave_modes();
  bool show_row(int row, std::span<const Cell> cells);
  void put(int row, int column, const Cell& cell);
  void write_raw(std::string_view bytes) const;
  void wait_for_foreground() const;

  int file_ = -1;
  int rows_ = 24;
  int columns_ = 80;
  Glyphs glyphs_;
  bool mouse_;
  bool suspends_;
  bool left_ = false;  // to the shell, for good
  termios modes_before_{};
  std::unique_ptr<Screen> screen_;
  Theme theme_;
  std::vector<Cell> shown_;  // what the terminal shows, row by row
  bool all_ = true;
  int cursor_row_ = -1;
  int cursor_column_ = -1;
  bool cursor_visible_ = true;
};

}  // namespace tpulab
