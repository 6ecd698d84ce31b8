// One exception for people, one check for bugs.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace tpulab {

// "What happened; what to do." Caught at three doors only: the command line, the engine loop, main.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what_happened_and_what_to_do)
      : std::runtime_error(what_happened_and_what_to_do) {}
};

// States what must hold whatever people type. A failure is a bug: std::logic_error with file and
// line.
void expects(bool condition, const char* what_must_hold,
             std::source_location where = std::source_location::current());

}  // namespace tpulab
