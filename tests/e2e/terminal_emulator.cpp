#include "tests/e2e/terminal_emulator.h"

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vterm.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

namespace tpulab::e2e {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::string utf8_of(std::uint32_t code) {
  std::string text;
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3F));
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  }
  return text;
}

std::vector<std::string> environment_of(const FreshHome& home, const Child& child) {
  const auto folder = home.path().string();
  std::map<std::string, std::string> all{
      {"TERM", "xterm-256color"},
      {"LANG", "C.UTF-8"},
      {"PATH", "/usr/local/bin:/usr/bin:/bin"},
      {"HOME", folder},
      {"XDG_STATE_HOME", folder + "/state"},
      {"XDG_CONFIG_HOME", folder + "/config"},
      {"XDG_CONFIG_DIRS", folder + "/site"},
  };
  for (const char* kept : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(kept)) all[kept] = value;
  }
  for (const auto& [name, value] : child.environment) all[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : all) {
    if (!value.empty()) lines.push_back(name + "=" + value);
  }
  return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

struct TerminalEmulator::Model {
  Model(int rows, int columns) : terminal(::vterm_new(rows, columns)) {
    ::vterm_set_utf8(terminal, 1);
    screen = ::vterm_obtain_screen(terminal);
    ::vterm_screen_enable_altscreen(screen, 1);
    callbacks.damage = [](VTermRect, void* user) {
      ++static_cast<Model*>(user)->damages;
      return 1;
    };
    callbacks.movecursor = [](VTermPos position, VTermPos, int, void* user) {
      static_cast<Model*>(user)->cursor = position;
      return 1;
    };
    callbacks.settermprop = [](VTermProp property, VTermValue* value, void* user) {
      auto* model = static_cast<Model*>(user);
      if (property == VTERM_PROP_ALTSCREEN) model->alternate = value->boolean != 0;
      if (property == VTERM_PROP_CURSORVISIBLE) model->cursor_visible = value->boolean != 0;
      return 1;
    };
    ::vterm_screen_set_callbacks(screen, &callbacks, this);
    ::vterm_screen_reset(screen, 1);
  }
  ~Model() { ::vterm_free(terminal); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  VTerm* terminal;
  VTermScreen* screen = nullptr;
  VTermScreenCallbacks callbacks{};
  VTermPos cursor{};
  bool alternate = false;
  bool cursor_visible = true;
  std::size_t damages = 0;
};

TerminalEmulator::TerminalEmulator(const FreshHome& home, const Child& child)
    : rows_(child.rows), columns_(child.columns), model_(std::make_unique<Model>(rows_, columns_)) {
  auto words = child.command;
  auto variables = environment_of(home, child);
  auto arguments = pointers_to(words);
  auto environment = pointers_to(variables);
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows_);
  size.ws_col = static_cast<unsigned short>(columns_);
  child_ = ::forkpty(&file_, nullptr, nullptr, &size);
  if (child_ < 0) throw std::runtime_error("no pseudo-terminal");
  if (child_ == 0) {
    ::execve(arguments[0], arguments.data(), environment.data());
    ::_exit(127);
  }
}

TerminalEmulator::~TerminalEmulator() {
  if (!exit_code_) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  hang_up();
}

void TerminalEmulator::hang_up() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

void TerminalEmulator::type(std::string_view bytes) {
  while (!bytes.empty()) {
    pollfd out{file_, POLLOUT, 0};
    ::poll(&out, 1, 1000);
    const auto written = ::write(file_, bytes.data(), std::min<std::size_t>(bytes.size(), 512));
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    if (!bytes.empty()) pump(milliseconds(0));
  }
}

void TerminalEmulator::resize(int rows, int columns) {
  rows_ = rows;
  columns_ = columns;
  ::vterm_set_size(model_->terminal, rows, columns);
  announce_size(rows, columns);
}

void TerminalEmulator::announce_size(int rows, int columns) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  ::ioctl(file_, TIOCSWINSZ, &size);
}

void TerminalEmulator::signal(int number) const { ::kill(child_, number); }

void TerminalEmulator::scribble(std::string_view bytes) {
  ::vterm_input_write(model_->terminal, bytes.data(), bytes.size());
  ::vterm_screen_flush_damage(model_->screen);
}

// False once the child has closed its side.
bool TerminalEmulator::pump(milliseconds limit) {
  pollfd in{file_, POLLIN, 0};
  if (::poll(&in, 1, static_cast<int>(limit.count())) <= 0) return true;
  std::array<char, 65536> bytes;
  const auto count = ::read(file_, bytes.data(), bytes.size());
  if (count <= 0) return false;
  received_.append(bytes.data(), static_cast<std::size_t>(count));
  ::vterm_input_write(model_->terminal, bytes.data(), static_cast<std::size_t>(count));
  ::vterm_screen_flush_damage(model_->screen);
  return true;
}

bool TerminalEmulator::until(const std::function<bool()>& holds, milliseconds limit) {
  const auto end = Clock::now() + limit;
  while (!holds()) {
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left.count() <= 0 || !pump(left)) return holds();
  }
  return true;
}

bool TerminalEmulator::until_shows(std::string_view text) {
  return until([&] { return shows(text); });
}

bool TerminalEmulator::until_gone(std::string_view text) {
  return until([&] { return !shows(text); });
}

void TerminalEmulator::settle(milliseconds quiet) {
  for (std::size_t before = received_.size() + 1; before != received_.size();) {
    before = received_.size();
    if (!pump(quiet)) return;
  }
}

std::optional<int> TerminalEmulator::wait_for_exit() {
  const auto end = Clock::now() + std::chrono::seconds(30);
  while (!exit_code_ && Clock::now() < end) {
    const bool open = pump(milliseconds(20));
    int status = 0;
    if (::waitpid(child_, &status, open ? WNOHANG : 0) != child_) continue;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  settle();
  return exit_code_;
}

std::optional<int> TerminalEmulator::wait_for_exit_unread() {
  const auto child = static_cast<int>(::syscall(SYS_pidfd_open, child_, 0));
  pollfd end{child, POLLIN, 0};
  const bool ended = ::poll(&end, 1, 30'000) > 0;
  ::close(child);
  return ended ? wait_for_exit() : std::nullopt;
}

std::string TerminalEmulator::row(int number) const {
  std::string line;
  for (int column = 0; column < columns_; ++column) line += cell(number, column).text;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string TerminalEmulator::text() const {
  std::string all;
  for (int number = 0; number < rows_; ++number) all += row(number) + '\n';
  return all;
}

bool TerminalEmulator::shows(std::string_view wanted) const {
  return text().find(wanted) != std::string::npos;
}

ScreenCell TerminalEmulator::cell(int row, int column) const {
  VTermScreenCell raw{};
  ::vterm_screen_get_cell(model_->screen, {row, column}, &raw);
  ScreenCell cell;
  const bool second_half = raw.chars[0] == static_cast<std::uint32_t>(-1);
  if (raw.chars[0] == 0) cell.text = " ";
  for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && raw.chars[i] != 0 && !second_half; ++i) {
    cell.text += utf8_of(raw.chars[i]);
  }
  cell.bold = raw.attrs.bold != 0;
  cell.reverse = raw.attrs.reverse != 0;
  cell.default_foreground = VTERM_COLOR_IS_DEFAULT_FG(&raw.fg);
  cell.default_background = VTERM_COLOR_IS_DEFAULT_BG(&raw.bg);
  cell.truecolor = !cell.default_foreground && VTERM_COLOR_IS_RGB(&raw.fg);
  return cell;
}

int TerminalEmulator::cursor_row() const { return model_->cursor.row; }
int TerminalEmulator::cursor_column() const { return model_->cursor.col; }
bool TerminalEmulator::alternate_screen() const { return model_->alternate; }
bool TerminalEmulator::cursor_visible() const { return model_->cursor_visible; }
std::size_t TerminalEmulator::damages() const { return model_->damages; }

bool TerminalEmulator::echo_on() const {
  termios modes{};
  return ::tcgetattr(file_, &modes) == 0 && (modes.c_lflag & ECHO) != 0;
}

bool TerminalEmulator::interrupt_flushes() const {
  termios modes{};
  return ::tcgetattr(file_, &modes) == 0 && (modes.c_lflag & NOFLSH) == 0;
}

bool TerminalEmulator::line_at_a_time() const {
  termios modes{};
  return ::tcgetattr(file_, &modes) == 0 && (modes.c_lflag & ICANON) != 0;
}

}  // namespace tpulab::e2e
