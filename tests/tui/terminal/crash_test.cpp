#include "tui/terminal/crash.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

namespace tpulab::crash_test {
namespace {

struct Aftermath {
  std::string screen;   // bytes on the terminal
  std::string message;  // bytes where messages go
  bool echo = false;
  int signal = 0;  // that ended the process
};

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> part{};
  ::fcntl(file, F_SETFL, O_NONBLOCK);
  for (;;) {
    const auto count = ::read(file, part.data(), part.size());
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

// Runs `crash` in a process whose terminal is guarded and does not echo.
Aftermath after(
    const std::function<void(int terminal)>& crash,
    const std::function<void()>& before_all = [] {}) {
  int terminal = -1;
  int program_side = -1;
  std::array<int, 2> message{};
  std::array<int, 2> stray{};
  EXPECT_EQ(::openpty(&terminal, &program_side, nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(::pipe(message.data()), 0);
  EXPECT_EQ(::pipe2(stray.data(), O_NONBLOCK), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    before_all();
    termios before{};
    ::tcgetattr(program_side, &before);
    termios raw = before;
    ::cfmakeraw(&raw);
    ::tcsetattr(program_side, TCSANOW, &raw);
    ::dup2(stray[1], STDERR_FILENO);
    guard_terminal(program_side, before);
    send_crash_words(message[1], stray[0]);
    crash(program_side);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Aftermath result{read_all(terminal), read_all(message[0]), false,
                   WIFSIGNALED(status) ? WTERMSIG(status) : 0};
  termios modes{};
  ::tcgetattr(terminal, &modes);
  result.echo = (modes.c_lflag & ECHO) != 0 && (modes.c_lflag & ICANON) != 0;
  for (const int file : {terminal, program_side, message[0], message[1], stray[0], stray[1]}) {
    ::close(file);
  }
  return result;
}

void expect_restored(const Aftermath& result) {
  EXPECT_TRUE(result.echo);
  EXPECT_NE(result.screen.find("\x1b[?1049l"), std::string::npos);  // the screen of before
  EXPECT_NE(result.screen.find("\x1b[?25h"), std::string::npos);    // the cursor
  EXPECT_NE(result.screen.find("\x1b[?2004l"), std::string::npos);  // no paste brackets
}

// A sanitizer's would report and exit.
void no_other_handler() { std::signal(SIGSEGV, SIG_DFL); }

TEST(Crash, a_bad_memory_access_gives_the_terminal_back_and_says_so) {
  const auto result = after([](int) { std::raise(SIGSEGV); }, no_other_handler);
  expect_restored(result);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_NE(result.message.find("SIGSEGV"), std::string::npos);
}

TEST(Crash, an_exception_that_leaves_a_thread_is_told_with_its_words) {
  const auto result =
      after([](int) { std::thread([] { throw std::runtime_error("words"); }).join(); });
  expect_restored(result);
  EXPECT_EQ(result.signal, SIGABRT);
  EXPECT_NE(result.message.find("words"), std::string::npos);
}

TEST(Crash, what_was_printed_before_is_shown_after_all) {
  const auto result = after([](int) {
    EXPECT_EQ(::write(STDERR_FILENO, "an assertion", 12), 12);
    std::raise(SIGABRT);
  });
  expect_restored(result);
  EXPECT_NE(result.message.find("an assertion"), std::string::npos);
}

TEST(Crash, a_signal_that_nobody_handles_gives_the_terminal_back) {
  for (const int signal : {SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGTRAP, SIGSYS, SIGPROF, SIGVTALRM,
                           SIGIO, SIGPWR, SIGSTKFLT, SIGPIPE, SIGRTMIN, SIGRTMAX}) {
    const auto result =
        after([signal](int) { std::raise(signal); }, [signal] { std::signal(signal, SIG_DFL); });
    expect_restored(result);
    EXPECT_EQ(result.signal, signal);
    EXPECT_NE(result.message.find("ended by the signal"), std::string::npos) << result.message;
  }
}

// A sanitizer's report, for one.
TEST(Crash, a_handler_of_before_gets_its_turn_and_is_heard) {
  const auto result = after(
      [](int) {
        void* const guarded = ::mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *static_cast<volatile char*>(guarded) = 1;
      },
      [] {
        std::signal(SIGSEGV,
                    [](int) { ::_exit(::write(STDERR_FILENO, "a report", 8) == 8 ? 0 : 1); });
      });
  expect_restored(result);
  EXPECT_NE(result.message.find("a report"), std::string::npos) << result.message;
}

TEST(Crash, a_terminal_that_nobody_reads_is_given_back_all_the_same) {
  const auto result = after([](int terminal) {
    ::fcntl(terminal, F_SETFL, O_NONBLOCK);
    while (::write(terminal, "frame", 5) > 0) continue;
    ::fcntl(terminal, F_SETFL, 0);
    end_by_signal(SIGTERM);
  });
  expect_restored(result);
  EXPECT_EQ(result.signal, SIGTERM);
}

TEST(Crash, a_released_terminal_is_left_alone) {
  const auto result = after(
      [](int) {
        release_terminal();
        std::raise(SIGSEGV);
      },
      no_other_handler);
  EXPECT_EQ(result.screen, "");
  EXPECT_EQ(result.signal, SIGSEGV);
}

}  // namespace
}  // namespace tpulab::crash_test
