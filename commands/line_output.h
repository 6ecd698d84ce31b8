// The way out for lines: everything that the program prints without a screen leaves here, and
// nothing of it can act on a terminal.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace tpulab {

class LineOutput {
 public:
  // `name` says in an Error what could not be written: "standard output".
  LineOutput(std::ostream& stream, std::string name) : stream_(stream), name_(std::move(name)) {}

  // Each line of the text on a line of its own, control characters shown (printable()).
  void lines(std::string_view text);
  // A part of a line, for a prompt.
  void part(std::string_view text);
  void end_line();
  // Throws Error if anything since the beginning could not be written (a full disk).
  void flush();

 private:
  void note_failure();

  std::ostream& stream_;
  std::string name_;
  int error_number_ = 0;  // errno of the first failure
};

}  // namespace tpulab
