#include "tui/terminal/taken_terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

#include "engine/base/error.h"

namespace tpulab {

namespace {

// Who is in the background may say who is in the foreground while it ignores this signal.
void give_keys(int file, pid_t group) {
  const auto before = std::signal(SIGTTOU, SIG_IGN);
  ::tcsetpgrp(file, group);
  std::signal(SIGTTOU, before);
}

}  // namespace

bool in_the_background(int terminal) {
  const pid_t owner = ::tcgetpgrp(terminal);
  return owner >= 0 && owner != ::getpgrp();
}

void await_foreground() {
  for (int stops = 0; stops < most_stops && in_the_background(STDIN_FILENO); ++stops) {
    ::kill(0, SIGTTIN);  // stops here until `fg`, or `bg`
  }
}

TakenTerminal::TakenTerminal() : file_(::open("/dev/tty", O_RDWR | O_CLOEXEC)) {
  if (file_ < 0) {
    throw Error("--tty: this process has no terminal; start it from one, or leave --tty out");
  }
  keys_went_to_ = ::tcgetpgrp(file_);
  give_keys(file_, ::getpgrp());
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(file_, standard);
}

TakenTerminal::~TakenTerminal() {
  give_keys(file_, keys_went_to_);
  ::close(file_);
}

}  // namespace tpulab
