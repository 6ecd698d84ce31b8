// Catches what anything in this process prints while the screen is open, so that it lands in the
// output pane instead of on top of the panels.
#pragma once

#include <string>

namespace tpulab {

class StrayOutput {
 public:
  StrayOutput();   // from here on stdout and stderr lead into a pipe
  ~StrayOutput();  // back to where they led before
  StrayOutput(const StrayOutput&) = delete;
  StrayOutput& operator=(const StrayOutput&) = delete;

  int file() const { return read_end_; }  // readable when something was printed
  std::string take();                     // what was printed since; never blocks

 private:
  int read_end_ = -1;
  int stdout_before_ = -1;
  int stderr_before_ = -1;
};

}  // namespace tpulab
