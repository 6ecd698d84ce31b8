#include "tests/e2e/program_output.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>

#include "tests/e2e/terminal_emulator.h"

namespace tpulab::e2e {

Outcome run(const std::string& arguments, const std::string& redirection,
            const std::string& before) {
  const FreshHome home;
  const std::string folder = home.path().string();
  const std::string command = "HOME=" + folder +
                              " XDG_STATE_HOME= XDG_DATA_HOME=" + " XDG_CONFIG_HOME=" + folder +
                              "/config XDG_CONFIG_DIRS=" + folder + "/site TERM=dumb " + before +
                              " " + TPULAB_BINARY + " " + arguments + " " + redirection;
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (const auto count = std::fread(part.data(), 1, part.size(), pipe)) {
    outcome.output.append(part.data(), count);
  }
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace tpulab::e2e
