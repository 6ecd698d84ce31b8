#include "tui/events.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "engine/base/error.h"
#include "tui/early_turns.h"

namespace tpulab {
namespace {

sigset_t screen_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGWINCH, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGINT}) {
    ::sigaddset(&set, signal);
  }
  return set;
}

// Rounded up: a deadline is never missed by waking too early and polling again.
int milliseconds_until(std::optional<Events::Clock::time_point> until) {
  if (!until) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Events::Clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

void read_signals(int file, std::vector<int>& signals) {
  signalfd_siginfo info{};
  while (::read(file, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (std::ranges::find(signals, signal) == signals.end()) signals.push_back(signal);
  }
}

void read_input(Happened& happened) {
  std::array<char, 4096> bytes{};
  const auto count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count > 0) happened.input.assign(bytes.data(), static_cast<std::size_t>(count));
  const bool again = count < 0 && (errno == EINTR || errno == EAGAIN);
  happened.input_ended = count <= 0 && !again;
}

std::shared_ptr<const int> shared_file(int file) {
  return {new int(file), [](const int* owned) {
            ::close(*owned);
            delete owned;
          }};
}

}  // namespace

void Events::block_signals() {
  const auto set = screen_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Events::Events(int stray_file) : stray_file_(stray_file) {
  ask_for_early_turns();
  const auto set = screen_signals();
  signal_file_ = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  bell_file_ = shared_file(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (signal_file_ < 0 || *bell_file_ < 0) throw Error("too many files are open; close some");
}

Events::~Events() { ::close(signal_file_); }

std::function<void()> Events::bell() const {
  return [file = bell_file_] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(*file, &one, sizeof one);
  };
}

Happened Events::wait(std::optional<Clock::time_point> until) {
  std::array<pollfd, 4> files{{{STDIN_FILENO, POLLIN, 0},
                               {signal_file_, POLLIN, 0},
                               {*bell_file_, POLLIN, 0},
                               {stray_file_, POLLIN, 0}}};
  Happened happened;
  if (::poll(files.data(), files.size(), milliseconds_until(until)) <= 0) return happened;
  if (files[0].revents != 0) read_input(happened);
  if (files[1].revents != 0) read_signals(signal_file_, happened.signals);
  std::uint64_t rings = 0;
  happened.engine = files[2].revents != 0 && ::read(*bell_file_, &rings, sizeof rings) > 0;
  happened.stray = (files[3].revents & POLLIN) != 0;
  return happened;
}

// The default action of SIGTSTP, not SIGSTOP, which would stop the program in any case.
void stop_until_continued() {
  sigset_t stop;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGTSTP);
  std::signal(SIGTSTP, SIG_DFL);
  std::raise(SIGTSTP);
  ::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);  // stops here
  ::pthread_sigmask(SIG_BLOCK, &stop, nullptr);
}

}  // namespace tpulab
