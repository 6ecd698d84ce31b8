// What commands ask of the engine, and the words they share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.h"

namespace tpulab {

// If the engine has too many requests waiting, a script waits for room and the prompt, which must
// not, gets an Error.
void post(CommandContext& context, const Request& request);

// Blocks until no run is training; calls while_waiting about 20 times a second.
void wait_until_idle(CommandContext& context);

// Changes settings for good and tells a running run what it takes over. All or, with an Error,
// nothing. Replies one line per assignment.
Reply set_all(CommandContext& context, std::vector<Assignment> assignments);

// The assignments of words such as "batch=64"; throws Error with `usage` for a word without `=`.
std::vector<Assignment> assignments_of(Arguments words, std::string_view usage);

// "batch=64, max_steps=20".
std::string joined(const std::vector<Assignment>& assignments);

// A setting by name, as a number where its value is one.
EventField field_of(const SettingRow& row, const Settings& settings);
// What was typed or is shown, as a number where it is one.
EventValue value_of(const std::string& text);

// The newest run by name: "run", its number, "state", "step" and what it has come to.
std::vector<EventField> run_fields(const CommandContext& context);

// "32 x 8 = 256 global, all 8 cores of v3-8, f32".
std::string run_in_words(const Settings& settings);

// The id of what the engine said last, 0 before it said anything.
std::int64_t newest_line(const Engine& engine);

// What the engine said by that name after the line `since`, if anything.
std::optional<std::string> said_after(const Engine& engine, std::int64_t since,
                                      std::string_view event);

// Throws Error for settings whose run a script would wait for without end; `cure` says what to do.
void check_ends(const CommandContext& context, const Settings& settings,
                std::string_view cure = "set one of them");

// Posts a request that makes a run train, and waits for its end (a pause is one). Fails if the run
// did, or if it could not begin; the engine itself says how a run has ended.
Reply train(CommandContext& context, const Request& request);

// Throws Error while a lesson hides a fault that no run has shown yet: an estimate would tell it.
void check_hidden_was_run(const CommandContext& context);

// Throws Error while a lesson asks what is wrong with settings that the answer would tell.
void check_tells_nothing_hidden(const CommandContext& context);

// The newest run, unless one with the present settings would do other steps, or they have changed
// since it was asked for with values of its own.
std::optional<RunEvidence> run_in_question(const CommandContext& context);

// Training or paused, or about to be: requests that the engine has not taken up yet count.
bool run_is_active(const CommandContext& context);

}  // namespace tpulab
