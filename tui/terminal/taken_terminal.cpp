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

void await_foreground() {
  constexpr int enough_turns = 100;  // where nothing stops it, as no shell would continue it
  for (int turn = 0; turn < enough_turns; ++turn) {
    const pid_t owner = ::tcgetpgrp(STDIN_FILENO);
    if (owner < 0 || owner == ::getpgrp()) return;
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
