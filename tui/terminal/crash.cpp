#include "tui/terminal/crash.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

namespace tpulab {
namespace {

// End of synchronised output, mouse and paste modes off, plain colours, cursor on, the screen of
// before. Unknown ones are ignored by the terminals that do not have them.
constexpr std::string_view restore_sequence =
    "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l\r\n";

// Shared with signal handlers, so it is plain memory; the scene is behind one flag.
struct {
  int terminal = -1;
  termios modes_before{};
} scene;
std::atomic<bool> guarded{false};
std::atomic<int> message{-1};
std::atomic<int> captured{-1};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);
alignas(16) std::array<char, std::size_t{64} * 1024> handler_stack;
std::array<struct sigaction, NSIG> former;

// Never blocks: nobody may be reading.
std::size_t write_what_fits(int file, std::string_view text) {
  const int flags = ::fcntl(file, F_GETFL);
  ::fcntl(file, F_SETFL, flags | O_NONBLOCK);
  const auto written = ::write(file, text.data(), text.size());
  ::fcntl(file, F_SETFL, flags);
  return written > 0 ? static_cast<std::size_t>(written) : 0;
}

// Waits a moment for a reader; what nobody has read by then is thrown away to make room.
void say(int file, std::string_view text) {
  constexpr int patience = 100;  // milliseconds
  for (int round = 0; round < 8 && file >= 0; ++round) {
    text.remove_prefix(write_what_fits(file, text));
    if (text.empty()) return;
    pollfd room{file, POLLOUT, 0};
    if (::poll(&room, 1, patience) <= 0) ::tcflush(file, TCOFLUSH);
  }
}

int message_file() { return message >= 0 ? message.load() : STDERR_FILENO; }

// write(2), tcsetattr, read(2) and dup2 are async-signal-safe; endwin() is not. A handler of before
// (a sanitizer's) then writes where people read.
void restore_now() {
  if (!guarded.exchange(false)) return;
  std::signal(SIGTTOU, SIG_IGN);  // in the background it would stop here
  say(scene.terminal, restore_sequence);
  ::tcsetattr(scene.terminal, TCSANOW, &scene.modes_before);
  std::array<char, 4096> kept;
  for (int rounds = 0; captured >= 0 && rounds < 64; ++rounds) {
    const auto count = ::read(captured, kept.data(), kept.size());
    if (count <= 0) break;
    say(message_file(), {kept.data(), static_cast<std::size_t>(count)});
  }
  if (message >= 0) ::dup2(message, STDERR_FILENO);
}

std::string_view name_of_signal(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV (memory it does not own)";
    case SIGBUS:
      return "SIGBUS (memory that is not there)";
    case SIGFPE:
      return "SIGFPE (an impossible division)";
    case SIGILL:
      return "SIGILL (an instruction this processor does not have)";
    default:
      return "SIGABRT (a check of its own)";
  }
}

// A fault strikes again when the handler returns, with all its particulars for the one of before.
extern "C" void on_crash(int signal, siginfo_t* info, void* /*context*/) {
  restore_now();
  say(message_file(), "tpulab: stopped by ");
  say(message_file(), name_of_signal(signal));
  say(message_file(), "; this is a bug in tpulab\n");
  ::sigaction(signal, &former[static_cast<std::size_t>(signal)], nullptr);
  const bool fault = info->si_code > 0 && signal != SIGABRT;
  if (!fault) std::raise(signal);
}

extern "C" void on_ending_signal(int signal) {
  restore_now();
  const char* name = ::sigabbrev_np(signal);
  say(message_file(), "tpulab: ended by the signal ");
  say(message_file(), name != nullptr ? name : "of a real-time program");
  say(message_file(), "\n");
  end_by_signal(signal);
}

[[noreturn]] void on_terminate() {
  restore_now();
  say(message_file(), "tpulab: an error nobody caught");
  if (const auto failure = std::current_exception()) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      say(message_file(), ": ");
      say(message_file(), error.what());
    } catch (...) {
      say(message_file(), " of an unknown kind");
    }
  }
  say(message_file(), "; this is a bug in tpulab\n");
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

bool is_crash(int signal) {
  return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE ||
         signal == SIGILL;
}

// Those that do nothing or stop the program, unless somebody asks for more.
bool ends_nothing(int signal) {
  constexpr std::array harmless{SIGCHLD, SIGCONT, SIGURG,  SIGWINCH, SIGSTOP,
                                SIGTSTP, SIGTTIN, SIGTTOU, SIGKILL};
  return std::ranges::find(harmless, signal) != harmless.end();
}

// What somebody else handles or ignores stays with them, but a crash gives the terminal back first.
void install_handler(int signal) {
  auto& before = former[static_cast<std::size_t>(signal)];
  if (ends_nothing(signal) || ::sigaction(signal, nullptr, &before) != 0) return;
  if (!is_crash(signal) && before.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  if (is_crash(signal)) {
    action.sa_sigaction = on_crash;
    action.sa_flags |= SA_SIGINFO;
  } else {
    action.sa_handler = on_ending_signal;
  }
  ::sigaction(signal, &action, nullptr);
}

void install_handlers() {
  static bool installed = false;
  if (std::exchange(installed, true)) return;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  ::sigaltstack(&stack, nullptr);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) install_handler(signal);
  std::set_terminate(on_terminate);
}

}  // namespace

void guard_terminal(int terminal, const termios& modes_before) {
  guarded = false;
  scene = {terminal, modes_before};
  install_handlers();
  guarded = true;
}

void release_terminal() { guarded = false; }

void send_crash_words(int to, int from) {
  message = to;
  captured = from;
}

void end_by_signal(int signal) {
  restore_now();
  sigset_t mine;
  sigemptyset(&mine);
  sigaddset(&mine, signal);
  std::signal(signal, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
  std::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace tpulab
