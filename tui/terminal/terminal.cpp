#include "tui/terminal/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "engine/base/embedded.h"
#include "engine/base/error.h"
#include "tui/screen/clean_text.h"
#include "tui/terminal/crash.h"
#include "tui/terminal/events.h"
#include "tui/terminal/taken_terminal.h"
// After all others: they define macros with everyday names.
#define NCURSES_NOMACROS
#include <curses.h>
#include <termcap.h>

namespace tpulab {

std::span<const EmbeddedFile> embedded_terminfo();

namespace {

enum class Depth { none, colors_8, colors_16, colors_256, truecolor };

constexpr std::string_view modes_on = "\x1b[?2004h";  // bracketed paste
constexpr std::string_view modes_off = "\x1b[?2004l";
constexpr std::string_view mouse_on = "\x1b[?1000h\x1b[?1006h";
constexpr std::string_view mouse_off = "\x1b[?1006l\x1b[?1000l";
constexpr std::string_view frame_begin = "\x1b[?2026h";  // synchronised output
constexpr std::string_view frame_end = "\x1b[?2026l";

// Beyond any screen; ncurses itself ends at 32,767.
constexpr int most_rows = 1000;
constexpr int most_columns = 4000;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool names_utf8(std::string_view codeset) {
  std::string letters;
  for (const char letter : codeset) {
    if (letter != '-') letters += static_cast<char>(letter | 0x20);
  }
  return letters.ends_with("utf8");
}

// 24-bit colour is announced only by this variable; GNU screen passes it on without knowing it.
bool announces_truecolor() {
  const auto announced = environment("COLORTERM");
  if (announced != "truecolor" && announced != "24bit") return false;
  const auto term = environment("TERM");
  return term != "linux" && (!term.starts_with("screen") || !environment("TMUX").empty());
}

bool wants_color(std::string_view option) {
  return option != "never" && (option != "auto" || environment("NO_COLOR").empty());
}

bool wants_truecolor(std::string_view option) {
  if (option == "truecolor") return true;
  return option == "auto" && wants_color(option) && announces_truecolor();
}

Depth depth_of(std::string_view option, bool truecolor, int colors) {
  if (truecolor) return Depth::truecolor;
  if (colors >= 256 && option != "16") return Depth::colors_256;
  if (colors >= 16) return Depth::colors_16;
  return colors >= 8 ? Depth::colors_8 : Depth::none;
}

std::string hex_of(std::string_view bytes) {
  std::string hex = "hex:";
  for (const char byte : bytes) hex += fmt::format("{:02X}", static_cast<unsigned char>(byte));
  return hex;
}

// ncurses takes an entry from TERMINFO itself ("hex:..."); set only while it is read, so that it
// does not leak to others.
class LentTerminfo {
 public:
  explicit LentTerminfo(std::string_view entry) : before_(environment("TERMINFO")) {
    ::setenv("TERMINFO", hex_of(entry).c_str(), 1);
  }
  ~LentTerminfo() {
    if (before_.empty()) {
      ::unsetenv("TERMINFO");
    } else {
      ::setenv("TERMINFO", before_.c_str(), 1);
    }
  }
  LentTerminfo(const LentTerminfo&) = delete;
  LentTerminfo& operator=(const LentTerminfo&) = delete;

 private:
  std::string before_;
};

SCREEN* open_screen(bool truecolor, FILE* output) {
  if (!truecolor) return ::newterm(nullptr, output, stdin);
  const LentTerminfo lent(embedded_terminfo().front().text);
  return ::newterm("tpulab-direct", output, stdin);
}

int color_number(const Color& color, Depth depth, bool light) {
  if (color.terminal_default) return -1;
  switch (depth) {
    case Depth::truecolor: {
      const int rgb = color.red << 16 | color.green << 8 | color.blue;
      return std::max(rgb, 8);  // the first eight are the terminal's own
    }
    case Depth::colors_256:
      return color.index_256;
    case Depth::colors_16:
      return color.index_16;
    case Depth::colors_8:
      return index_8(color, light);
    case Depth::none:
      break;
  }
  return -1;
}

int pair_of(Role role) { return 1 + static_cast<int>(role); }

// Roles that a background tells apart; without colours they are reversed.
bool has_background(Role role) {
  return role == Role::status || role == Role::status_strong || role == Role::selection;
}

}  // namespace

bool use_utf8_locale() {
  const char* chosen = std::setlocale(LC_CTYPE, "");
  auto wanted = environment("LC_ALL");
  if (wanted.empty()) wanted = environment("LC_CTYPE");
  if (wanted.empty()) wanted = environment("LANG");
  // A UTF-8 locale that is not installed here is still what the terminal speaks.
  const bool utf8 = chosen != nullptr ? names_utf8(::nl_langinfo(CODESET)) : names_utf8(wanted);
  if (!names_utf8(::nl_langinfo(CODESET))) std::setlocale(LC_CTYPE, "C.UTF-8");
  return utf8;
}

std::string why_no_dashboard() {
  if (::isatty(STDIN_FILENO) == 0) return "standard input is not a terminal";
  if (::isatty(STDOUT_FILENO) == 0) return "standard output is not a terminal";
  const auto term = environment("TERM");
  if (term.empty()) return "TERM is not set";
  if (::tgetent(nullptr, std::string(term).c_str()) != 1) {
    return fmt::format("the terminal type TERM={} is unknown here", term);
  }
  const bool moves = ::tgetstr("cm", nullptr) != nullptr;
  return moves ? "" : fmt::format("a terminal of type TERM={} cannot move its cursor", term);
}

struct Terminal::Screen {
  FILE* output = nullptr;
  SCREEN* handle = nullptr;
  Depth depth = Depth::none;

  ~Screen() {
    if (handle != nullptr) ::delscreen(handle);
    if (output != nullptr) std::fclose(output);
  }
};

Terminal::Terminal(const TerminalOptions& options, const Theme& theme)
    : glyphs_(options.glyphs),
      mouse_(options.mouse),
      suspends_(options.suspends),
      screen_(std::make_unique<Screen>()) {
  file_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (file_ < 0 || ::tcgetattr(file_, &modes_before_) != 0) {
    throw Error("the terminal cannot be opened; run with --plain");
  }
  guard_terminal(file_, modes_before_);
  screen_->output = ::fdopen(file_, "w");
  const bool truecolor = wants_truecolor(options.color);
  // ncurses would ignore Ctrl-Z whenever it draws, and so lose it, had it once found the default.
  const auto stops_by_key = std::signal(SIGTSTP, SIG_IGN);
  screen_->handle = open_screen(truecolor, screen_->output);
  std::signal(SIGTSTP, stops_by_key);
  if (screen_->handle == nullptr) {
    release_terminal();
    throw Error("the terminal type is not known here; set TERM, or run with --plain");
  }
  std::signal(SIGWINCH, SIG_DFL);  // read elsewhere; ncurses' own handler would be in the way
  ::cbreak();
  ::noecho();
  ::nonl();
  ::typeahead(-1);  // a frame is never broken off because a key waits
  if (wants_color(options.color) && ::start_color() == OK) {
    ::use_default_colors();
    screen_->depth = depth_of(options.color, truecolor, COLORS);
  }
  termios modes{};
  ::tcgetattr(file_, &modes);
  modes.c_iflag &= ~static_cast<tcflag_t>(IXON);   // Ctrl-S and Ctrl-Q are keys
  modes.c_lflag |= static_cast<tcflag_t>(NOFLSH);  // Ctrl-C must not swallow half a frame
  ::tcsetattr(file_, TCSANOW, &modes);
  ::def_prog_mode();
  set_theme(theme);
  enter_modes();
  fit();
}

// Also in the background, where the last words are no reason to stop.
Terminal::~Terminal() {
  std::signal(SIGTTOU, SIG_IGN);
  if (!left_) {
    leave_modes();
    ::tcsetattr(file_, TCSANOW, &modes_before_);
  }
  release_terminal();
}

void Terminal::enter_modes() {
  write_raw(modes_on);
  if (mouse_) write_raw(mouse_on);
}

void Terminal::leave_modes() {
  ::curs_set(1);
  ::endwin();
  if (mouse_) write_raw(mouse_off);
  write_raw(modes_off);
}

// Straight to the file: ncurses has its own buffer, which is empty after each refresh.
void Terminal::write_raw(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Terminal::set_theme(const Theme& theme) {
  theme_ = theme;
  if (screen_->depth != Depth::none) {
    for (int role = 0; role < role_count; ++role) {
      const auto& style = theme_.styles[static_cast<std::size_t>(role)];
      ::init_extended_pair(pair_of(static_cast<Role>(role)),
                           color_number(style.foreground, screen_->depth, theme_.light),
                           color_number(style.background, screen_->depth, theme_.light));
    }
  }
  all_ = true;
}

// The console of Linux and plain terminals would show the question.
void Terminal::ask_background() const {
  const auto term = environment("TERM");
  const bool plain = term == "linux" || term.starts_with("vt") || term.starts_with("ansi");
  if (screen_->depth != Depth::none && !plain) write_raw("\x1b]11;?\x1b\\");
}

void Terminal::use_mouse(bool on) {
  mouse_ = on;
  write_raw(on ? mouse_on : mouse_off);
}

void Terminal::copy(std::string_view text) const {
  write_raw(fmt::format("\x1b]52;c;{}\x07", base64(text)));
}

void Terminal::put(int row, int column, const Cell& cell) {
  if (cell.glyph == 0) return;  // the second half of a wide character
  const bool plain = glyphs_ == Glyphs::ascii && cell.glyph >= 0x80;
  const std::array<wchar_t, 2> glyph{plain ? L'?' : static_cast<wchar_t>(cell.glyph), L'\0'};
  const bool bold = cell.bold || theme_.styles[static_cast<std::size_t>(cell.role)].bold;
  const bool colourless = screen_->depth == Depth::none && has_background(cell.role);
  const attr_t attributes =
      (bold ? A_BOLD : A_NORMAL) | (cell.reverse != colourless ? A_REVERSE : A_NORMAL);
  int pair = screen_->depth == Depth::none ? 0 : pair_of(cell.role);
  cchar_t packed{};
  ::setcchar(&packed, glyph.data(), attributes, static_cast<short>(pair), &pair);
  ::mvadd_wch(row, column, &packed);
}

bool Terminal::show_row(int row, std::span<const Cell> cells) {
  bool changed = false;
  const auto start = shown_.begin() + static_cast<std::ptrdiff_t>(row) * columns_;
  for (int column = 0; column < std::min(columns_, static_cast<int>(cells.size())); ++column) {
    const auto& cell = cells[static_cast<std::size_t>(column)];
    if (!all_ && cell == start[column]) continue;
    put(row, column, cell);
    start[column] = cell;
    changed = true;
  }
  return changed;
}

void Terminal::show(const DrawnScreen& drawn, bool cursor_visible, int first_row) {
  bool changed = all_ || drawn.cursor_row != cursor_row_ || drawn.cursor_column != cursor_column_ ||
                 cursor_visible != cursor_visible_;
  const int rows = std::min(rows_, drawn.canvas.rows());
  for (int row = all_ ? 0 : std::max(0, first_row); row < rows; ++row) {
    if (show_row(row, drawn.canvas.row(row))) changed = true;
  }
  if (!changed) return;
  if (cursor_visible != cursor_visible_) ::curs_set(cursor_visible ? 1 : 0);
  ::move(std::clamp(drawn.cursor_row, 0, rows_ - 1),
         std::clamp(drawn.cursor_column, 0, columns_ - 1));
  const bool whole = all_ || first_row <= 0;  // the prompt's two rows cannot tear
  if (whole) write_raw(frame_begin);
  ::refresh();
  if (whole) write_raw(frame_end);
  all_ = false;
  cursor_row_ = drawn.cursor_row;
  cursor_column_ = drawn.cursor_column;
  cursor_visible_ = cursor_visible;
}

void Terminal::fit() {
  winsize size{};
  const bool known = ::ioctl(file_, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
  rows_ = known ? std::min<int>(size.ws_row, most_rows) : 24;
  columns_ = known ? std::min<int>(size.ws_col, most_columns) : 80;
  ::resize_term(rows_, columns_);
  forget();
}

void Terminal::forget() {
  ::erase();
  ::clearok(curscr, TRUE);
  shown_.assign(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_), Cell());
  all_ = true;
}

void Terminal::suspend() {
  if (!suspends_) return;
  leave_modes();
  release_terminal();
  stop_until_continued();
  wait_for_foreground();
  left_ = ending_signal() != 0;  // it came while all stood still
  if (left_) return;
  guard_terminal(file_, modes_before_);
  ::reset_prog_mode();
  enter_modes();
  fit();
}

// `bg` lets a program go on that needs the screen: it stops once more.
void Terminal::wait_for_foreground() const {
  int stops = 0;
  while (stops++ < most_stops && ending_signal() == 0 && in_the_background(file_)) {
    stop_until_continued();
  }
}

void Terminal::recover() {
  wait_for_foreground();
  if (ending_signal() != 0) return;
  ::endwin();
  ::reset_prog_mode();
  enter_modes();
  fit();
}

}  // namespace tpulab
