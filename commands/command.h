// A typed line -> a request and a reply. A command is a constant row in a file of its own
// (commands/verbs).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/engine.h"

namespace tpulab {

struct SourcedCommand {
  std::string text;
  std::string where;  // "FILE:LINE"
};

// What a reply asks of the screen. The console ignores all but `quit` and `commands`.
struct UiChange {
  bool quit = false;
  bool clear_output = false;
  std::optional<std::string> theme;
  std::optional<bool> freeze;                 // the figures stand still, or go on
  std::optional<std::string> help_topic;      // the reply's lines are that page of help
  std::vector<SourcedCommand> commands = {};  // run them next, before what else is held
  std::optional<std::int64_t> compared;       // the reply compares this run and the one before it
  bool wait = false;  // hold what follows back until no run is training (`wait` at the prompt)
};

struct Reply {
  std::vector<std::string> lines;  // plain text, one line each
  bool failed = false;
  UiChange change;
  std::vector<EventField> fields = {};  // the same by name, for scripts (--json)
  std::vector<OutputLine> rows = {};    // the same, of what there are several
  bool impossible = false;              // of a failure: understood, but it cannot be
  bool asks = false;                    // at the prompt: the answer follows, beside the run
  bool only_sets = false;               // what was set is no part of what was asked for
};

// Between two calls of CommandContext::while_waiting.
inline constexpr std::chrono::milliseconds waiting_interval{50};

class LessonPlayer;
class NewestAdvice;
class NewestAnswer;

// A run with other values for this time.
struct RunAside {
  Settings session;  // as they stayed
  Settings run;
};

// What a command may touch: the engine's door and the settings the next run starts with.
struct CommandContext {
  Engine& engine;
  Settings& settings;
  bool interactive = false;                   // true at the prompt: `run` does not block
  std::size_t columns = 0;                    // of a row of the screen; 0: as many as it takes
  std::vector<std::string> theme_names = {};  // of the screen; empty without one
  std::function<void()> while_waiting = {};   // called often while a command blocks; may be empty
  std::stop_token interrupted = {};           // of a script: Ctrl-C came
  // Of a script: prints a row of an answer at once, as its text or as its fields. Heads have only
  // text. Empty where rows wait for the reply.
  std::function<void(const std::string& text, const OutputLine& row)> print_row = {};
  // What the newest request makes of the run, until the engine has taken it up: true trains, false
  // ends.
  std::optional<bool> run_requested = {};
  Settings defaults = settings;                // what the session began with
  std::optional<Settings> before_change = {};  // as they were before the newest change
  std::optional<RunAside> run_aside = {};      // the newest that was asked for
  std::shared_ptr<NewestAdvice> advice = {};   // what `advise N apply` refers to
  std::shared_ptr<NewestAnswer> answer = {};   // kept for lessons, if somebody plays one
  std::shared_ptr<LessonPlayer> lesson = {};   // the one that is played
  std::vector<std::string> hidden = {};        // settings that `show` keeps for itself
  std::int64_t run_before_hidden = 0;          // the newest when they were hidden
  std::int64_t run_of_lesson = 0;              // the newest when a lesson was left; 0: none was
};

using Arguments = std::span<const std::string>;

struct Command {
  std::string_view name;
  std::string_view usage;    // "step [N]"
  std::string_view summary;  // one line for the list of help
  std::string_view help;     // a paragraph or more for `help NAME`; may be empty
  Reply (*run)(Arguments arguments, CommandContext& context);
  // Candidates for the word being typed after the verb; null: none.
  std::vector<std::string> (*complete)(Arguments before, const CommandContext& context) = nullptr;
};

// All commands, by name. Written by CMake from commands/verbs/.
std::span<const Command* const> all_commands();
const Command* find_command(std::string_view name);

// Runs one line: comments (#), a verb, a setting's name, or Trainer(...); several commands of
// split_commands() up to the first that fails. Turns Error into a failed reply; never throws for
// bad input. An empty line answers an empty reply.
Reply run_line(std::string_view line, CommandContext& context);
// Splits at `;` and line ends outside quotes, brackets and comments; comments and empty parts go.
std::vector<std::string> split_commands(std::string_view text);
// Completions of the last word of `line_before_cursor`, sorted. A word begins after a space or `;`,
// inside Trainer(...) also after `(` and `,`; it is completed as a whole (`precision=bf16-true`).
std::vector<std::string> completions(std::string_view line_before_cursor,
                                     const CommandContext& context);
// A short usage hint for what is being typed, for the hint line; empty if none.
std::string hint(std::string_view line, const CommandContext& context);

}  // namespace tpulab
