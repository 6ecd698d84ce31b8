#include "tui/crash.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>

namespace tpulab {
namespace {

// End of synchronised output, mouse and paste modes off, plain colours, cursor on, the screen of
// before. Unknown ones are ignored by the terminals that do not have them.
constexpr std::string_view restore_sequence =
    "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l\r\n";

// Shared with signal handlers, so it is plain memory behind one flag.
CrashScene guarded_scene;
std::atomic<bool> guarded{false};
static_assert(std::atomic<bool>::is_always_lock_free);
alignas(16) std::array<char, 64 * 1024> handler_stack;

void say(int file, std::string_view text) {
  if (file >= 0) [[maybe_unused]]
    const auto written = ::write(file, text.data(), text.size());
}

// write(2), tcsetattr and read(2) are async-signal-safe; endwin() is not.
void restore_now() {
  if (!guarded.exchange(false)) return;
  say(guarded_scene.terminal, restore_sequence);
  ::tcsetattr(guarded_scene.terminal, TCSANOW, &guarded_scene.modes_before);
  std::array<char, 4096> kept;
  for (int rounds = 0; guarded_scene.stray_output >= 0 && rounds < 64; ++rounds) {
    const auto count = ::read(guarded_scene.stray_output, kept.data(), kept.size());
    if (count <= 0) break;
    say(guarded_scene.message, {kept.data(), static_cast<std::size_t>(count)});
  }
}

int message_file() { return guarded_scene.message >= 0 ? guarded_scene.message : STDERR_FILENO; }

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

extern "C" void on_crash(int signal) {
  restore_now();
  say(message_file(), "tpulab: stopped by ");
  say(message_file(), name_of_signal(signal));
  say(message_file(), "; this is a bug in tpulab\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
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

void install_handlers() {
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) {
    ::sigaction(signal, &action, nullptr);
  }
  std::set_terminate(on_terminate);
}

}  // namespace

void guard_terminal(const CrashScene& scene) {
  guarded = false;
  guarded_scene = scene;
  install_handlers();
  guarded = true;
}

void release_terminal() {
  guarded = false;
  guarded_scene.message = -1;  // its owner closes it; standard error is back
}

}  // namespace tpulab
