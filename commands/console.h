// The program without a screen: commands from -c or from a stream, answers as lines or as JSON.
//
// With `json` every line of output is one JSON object:
//   an event of the engine   {"event": "epoch", "text": "...", and the event's fields by name}
//                            a line without an event name has its kind there: text, warning, ...
//   a fact of an answer      the same, before its reply: {"event": "forecast", "step_seconds": ...}
//   the reply to a command   {"reply": "batch 64", "ok": true, "lines": ["..."]}
//   a reply that failed      the same with "ok": false and "line": its number
// Times in fields say their unit in their name. Numbers that are not finite are null.
#pragma once

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

#include "commands/command.h"

namespace tpulab {

// Between a script and a signal handler.
struct Interrupt {
  std::atomic<bool> stops_run = false;  // a run blocks the script: Ctrl-C is for the run
  std::atomic<bool> came = false;
};

struct ConsoleOptions {
  bool json = false;
  std::vector<std::string> commands = {};  // texts of -c; none: lines from `in`
  std::string when_empty = {};             // run instead if `in` has no command; may be empty
  Interrupt* interrupt = nullptr;
};

// Runs the lines in order; what the engine reports while a run blocks is printed as it comes.
// Answers the exit code: 0, or 1 after a command that failed, which ends the script: its message
// and its line number ("line 3: ...", for -c "command 3: ...") go to `err`; 130 after an interrupt,
// which stops the run and ends the script.
int run_console(Engine& engine, Settings& settings, const ConsoleOptions& options, std::istream& in,
                std::ostream& out, std::ostream& err);

// One JSON object, without a line end.
std::string json_of(const OutputLine& line);
std::string json_of_reply(const std::string& command, const Reply& reply, int line_number);

}  // namespace tpulab
