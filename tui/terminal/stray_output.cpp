#include "tui/terminal/stray_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "engine/base/error.h"
#include "tui/terminal/crash.h"

namespace tpulab {

// Both ends never block: a flood of prints loses its tail, the screen goes on.
StrayOutput::StrayOutput() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error("no pipe for stray output; too many files are open");
  }
  std::fflush(nullptr);
  read_end_ = ends[0];
  stdout_before_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  stderr_before_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(ends[1], STDOUT_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  ::close(ends[1]);
  send_crash_words(stderr_before_, read_end_);
}

StrayOutput::~StrayOutput() {
  std::fflush(stdout);
  send_crash_words(-1, -1);
  ::dup2(stdout_before_, STDOUT_FILENO);
  ::dup2(stderr_before_, STDERR_FILENO);
  for (const int file : {read_end_, stdout_before_, stderr_before_}) ::close(file);
}

std::string StrayOutput::take() {
  std::string text;
  std::array<char, 4096> part{};
  while (text.size() < (std::size_t{1} << 16)) {
    const auto count = ::read(read_end_, part.data(), part.size());
    if (count <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace tpulab
