// One exception for people, one check for bugs.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace tpulab {

// "What happened; what to do." Caught at three doors only: the command line, the engine loop, main.
// It may quote what was typed, however long that is: the middle of a long message is left out.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what_happened_and_what_to_do);
};

// What was asked is understood, but cannot be: it does not fit, does not divide, does not go
// together, or nothing is known of it.
class Impossible : public Error {
 public:
  using Error::Error;
};

// Parts that a mesh or a batch asks for and that something does not have: `what_happened` alone, as
// what to do can be tried where settings are known.
class DoesNotDivide : public Impossible {
 public:
  DoesNotDivide(const std::string& what_happened, const std::string& what_to_do);

  const std::string& what_happened() const { return what_happened_; }

 private:
  std::string what_happened_;
};

// For people: what() but of memory that this computer does not have.
std::string text_of_failure(const std::exception& error);

// What `question` answers; its refusals become impossible, and what is so already stays what it is.
template <class Question>
auto or_impossible(const Question& question) {
  try {
    return question();
  } catch (const Impossible&) {
    throw;
  } catch (const Error& error) {
    throw Impossible(error.what());
  }
}

namespace detail {
[[noreturn]] void report_bug(const char* what_must_hold, const std::source_location& where);
}

// States what must hold whatever people type. A failure is a bug: std::logic_error with file and
// line.
inline void expects(bool condition, const char* what_must_hold,
                    std::source_location where = std::source_location::current()) {
  if (!condition) detail::report_bug(what_must_hold, where);
}

}  // namespace tpulab
