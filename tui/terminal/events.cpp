#include "tui/terminal/events.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "engine/base/error.h"
#include "tui/terminal/crash.h"
#include "tui/terminal/early_turns.h"

namespace tpulab {
namespace {

constexpr std::array noted_signals{SIGWINCH, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGINT};
constexpr unsigned patience = 2;                       // seconds, of a signal that ends the program
constexpr std::int64_t unheard_after = 1'000'000'000;  // nanoseconds, of Ctrl-C

// Shared with the handler. While `wake` is -1 nobody listens.
std::atomic<int> wake{-1};
std::atomic<std::uint64_t> unread{0};  // a bit per signal
std::atomic<std::int64_t> interrupted_at{0};
std::atomic<int> ending{0};
std::atomic<pthread_t> listener{};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
static_assert(std::atomic<pthread_t>::is_always_lock_free);

std::int64_t nanoseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// True if nobody has taken up an earlier one: the thread that listens is held up, by a terminal
// that is not read for one, and this signal must strike.
bool in_vain(int signal, bool unread_before) {
  if (wake < 0) return signal != SIGWINCH && signal != SIGCONT && signal != SIGTSTP;
  if (signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
    ::alarm(patience);
    return ending.exchange(signal) != 0;
  }
  if (signal != SIGINT) return false;
  if (!unread_before) interrupted_at = nanoseconds_now();
  return nanoseconds_now() - interrupted_at > unheard_after;
}

// On the thread that listens, so that it leaves a write that hangs.
extern "C" void on_signal(int signal) {
  const int error_before = errno;
  if (::pthread_equal(::pthread_self(), listener) == 0) {
    ::pthread_kill(listener, signal);
  } else if (signal == SIGALRM) {
    end_by_signal(ending != 0 ? ending.load() : signal);
  } else {
    const std::uint64_t bit = std::uint64_t{1} << signal;
    const bool unread_before = (unread.fetch_or(bit) & bit) != 0;
    if (in_vain(signal, unread_before)) end_by_signal(signal);
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake, &one, sizeof one);
  }
  errno = error_before;
}

// What somebody ignores (nohup) stays ignored.
void listen_to(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

// All but those that a fault of the thread itself raises.
sigset_t outside_signals() {
  sigset_t set;
  ::sigfillset(&set);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
    ::sigdelset(&set, signal);
  }
  return set;
}

// Rounded up: a deadline is never missed by waking too early and polling again.
int milliseconds_until(std::optional<Events::Clock::time_point> until) {
  if (!until) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Events::Clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

std::vector<int> take_signals() {
  std::vector<int> signals;
  const std::uint64_t came = unread.exchange(0);
  for (const int signal : noted_signals) {
    if ((came >> signal & 1U) != 0) signals.push_back(signal);
  }
  return signals;
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
  const auto set = outside_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Events::Events(int stray_file) : stray_file_(stray_file), terminal_(::isatty(STDIN_FILENO) == 1) {
  ask_for_early_turns();
  wake_file_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  bell_file_ = shared_file(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (wake_file_ < 0 || *bell_file_ < 0) throw Error("too many files are open; close some");
  ending = 0;
  wake = wake_file_;
  listener = ::pthread_self();
  for (const int signal : noted_signals) listen_to(signal);
  listen_to(SIGALRM);
  const auto set = outside_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

Events::~Events() {
  wake = -1;
  ::close(wake_file_);
}

std::function<void()> Events::bell() const {
  return [file = bell_file_] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(*file, &one, sizeof one);
  };
}

Happened Events::wait(std::optional<Clock::time_point> until) {
  std::array<pollfd, 4> files{{{STDIN_FILENO, POLLIN, 0},
                               {wake_file_, POLLIN, 0},
                               {*bell_file_, POLLIN, 0},
                               {stray_file_, POLLIN, 0}}};
  Happened happened;
  const int ready = ::poll(files.data(), files.size(), milliseconds_until(until));
  std::uint64_t rings = 0;
  [[maybe_unused]] const auto woken = ::read(wake_file_, &rings, sizeof rings);
  happened.signals = take_signals();
  if (ready <= 0) return happened;
  if (files[0].revents != 0) read_input(happened);
  happened.engine = files[2].revents != 0 && ::read(*bell_file_, &rings, sizeof rings) > 0;
  happened.stray = (files[3].revents & POLLIN) != 0;
  return happened;
}

// The end of a pipe hangs up too.
bool Events::hung_up() const {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return terminal_ && ::poll(&input, 1, 0) > 0 && (input.revents & POLLHUP) != 0;
}

int ending_signal() { return ending; }

// The default action of SIGTSTP, not SIGSTOP, which would stop the program in any case.
void stop_until_continued() {
  std::signal(SIGTSTP, SIG_DFL);
  std::raise(SIGTSTP);  // stops here
  listen_to(SIGTSTP);
}

}  // namespace tpulab
