// A terminal for tests: starts the real program on a pseudo-terminal and keeps its screen
// (libvterm).
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/temporary_folder.h"

namespace tpulab::e2e {

// A folder of its own for HOME and all XDG folders, gone at the end.
class FreshHome {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path history() const { return folder_ / "state/tpulab/history"; }

 private:
  test::TemporaryFolder folder_;
};

struct Child {
  std::vector<std::string> command{TPULAB_BINARY};
  int rows = 40;
  int columns = 120;
  std::map<std::string, std::string> environment{};  // added to a small fixed one; "" removes
};

struct ScreenCell {
  std::string text;  // UTF-8
  bool bold = false;
  bool reverse = false;
  bool default_foreground = true;
  bool default_background = true;
  bool truecolor = false;  // the foreground came as RGB
};

class TerminalEmulator {
 public:
  TerminalEmulator(const FreshHome& home, const Child& child);
  ~TerminalEmulator();  // kills the child
  TerminalEmulator(const TerminalEmulator&) = delete;
  TerminalEmulator& operator=(const TerminalEmulator&) = delete;

  void type(std::string_view bytes);
  void resize(int rows, int columns);
  void announce_size(int rows, int columns);  // to the program alone: no screen has it
  void signal(int number) const;
  void scribble(std::string_view bytes);  // as if another program had written them
  void hang_up();  // the terminal goes away; nothing can be read or typed any more

  // Reads what the child writes until `holds` does; false after `limit`. Never sleeps.
  bool until(const std::function<bool()>& holds,
             std::chrono::milliseconds limit = std::chrono::seconds(30));
  bool until_shows(std::string_view text);
  bool until_gone(std::string_view text);
  // Until nothing came for so long: the patience that a loaded computer needs.
  void settle(std::chrono::milliseconds quiet = std::chrono::milliseconds(100));
  // Exit code, or 128 + signal; none if it is still there after the limit.
  std::optional<int> wait_for_exit();
  std::optional<int> wait_for_exit_unread();  // nothing of what it writes is read before its end

  std::string text() const;  // rows joined by '\n', trailing blanks cut
  std::string row(int number) const;
  bool shows(std::string_view text) const;
  ScreenCell cell(int row, int column) const;
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int cursor_row() const;
  int cursor_column() const;
  bool alternate_screen() const;
  bool cursor_visible() const;
  bool echo_on() const;  // the line discipline echoes, as a shell expects
  bool line_at_a_time() const;
  bool interrupt_flushes() const;  // Ctrl-C throws away what is typed and drawn but not read yet
  const std::string& received() const { return received_; }  // every byte so far
  std::size_t damages() const;                               // how often the picture changed
  pid_t child() const { return child_; }

 private:
  struct Model;
  bool pump(std::chrono::milliseconds limit);

  int rows_;
  int columns_;
  std::unique_ptr<Model> model_;
  int file_ = -1;
  pid_t child_ = -1;
  std::optional<int> exit_code_;
  std::string received_;
};

}  // namespace tpulab::e2e
