// The real program without a terminal: what it prints, and its exit code.
#pragma once

#include <string>

namespace tpulab::e2e {

struct Outcome {
  std::string output;  // both streams, or standard output alone
  int exit_code = -1;  // 128 + N after signal N
};

// In a shell, with a home and a configuration of its own. `redirection` is of the shell:
// "</dev/null", "<<'END' ..."; `before` stands before the program: variables, or what starts it.
Outcome run(const std::string& arguments, const std::string& redirection = "2>&1 </dev/null",
            const std::string& before = "");

}  // namespace tpulab::e2e
