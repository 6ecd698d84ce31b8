// The program without a screen: commands from -c or from a stream, answers as lines or as JSON.
//
// With `json` every line of output is one JSON object:
//   an event of the engine   {"event": "epoch", "text": "...", and the event's fields by name}
//                            a line without an event name has its kind there: text, warning, ...
//   a row of an answer       the same, before its reply: {"event": "sweep", "step_seconds": ...}
//   the reply to a command   {"reply": "forecast", "ok": true, "text": "...", and the answer's
//                            fields by name}; a line break stands between the lines of the text
//   a reply that failed      {"reply": "batch 0", "ok": false, "text": what happened and what to
//                            do, "line": its number, "where": "line 3", "command 3" of -c or
//                            "FILE:3" of a file, "exit_code": 1}; so did an interrupted one
// Times in fields say their unit in their name. What is not known is null, and so are numbers that
// are not finite.
#pragma once

#include <atomic>
#include <exception>
#include <iosfwd>
#include <string>
#include <vector>

#include "commands/command.h"

namespace tpulab {

// Between a script and a signal handler.
struct Interrupt {
  std::atomic<bool> in_command = false;  // one that looks whether a signal came
  std::atomic<int> came = 0;             // SIGINT of Ctrl-C, SIGTERM, SIGHUP
};

struct ConsoleOptions {
  bool json = false;
  std::vector<std::string> commands = {};  // texts of -c; none: lines from `in`
  std::string when_empty = {};             // run instead if `in` has no command; may be empty
  bool enter_goes_on = false;              // an empty line of `in` goes on with a lesson
  Interrupt* interrupt = nullptr;
};

// Runs the lines in order; what the engine reports while a run blocks is printed as it comes.
// Answers the exit code. A command that failed ends the script: its message and its line number
// ("line 3: ...", for -c "command 3: ...") go to `err`. An interrupt stops the run
// or the answer that is being worked out, and ends the script. Throws Error if `out` cannot be
// written.
int run_console(Engine& engine, Settings& settings, const ConsoleOptions& options, std::istream& in,
                std::ostream& out, std::ostream& err);

// Of a script: 0 if all went well, these, or 128 and a signal's number. 2 is a wrong option's.
inline constexpr int exit_code_failed = 1;
inline constexpr int exit_code_impossible = 3;
inline constexpr int exit_code_of_signals = 128;  // and the signal, as shells have it
int exit_code_of(const Reply& reply);
int exit_code_of(const std::exception& error);

// One JSON object, without a line end.
std::string json_of(const OutputLine& line);
// Where a command stands in its script.
struct Place {
  std::string where;  // "line 3", "command 3", "more.tl:3"
  int number = 0;     // of the line that was given, which may have sourced a file
};
std::string json_of_reply(const std::string& command, const Reply& reply, const Place& place,
                          int exit_code);

}  // namespace tpulab
