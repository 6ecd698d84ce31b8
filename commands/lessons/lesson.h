// A lesson: a text file that is played at the prompt step by step. A line is a word and what
// belongs to it; lines that begin with a blank go on with the line before, # begins a comment.
//
//   title   One core                  about  one line for the list
//   page    a sentence of Lightning's page on TPUs that the lesson looks into (any number)
//   hides   what the lesson leaves out, said at its end (there must be one)
//   say     text; {step} and {a / b} are figures that the program just printed
//   stop    waits for Enter
//   > LINE  typed for the learner on Enter             ! LINE  the same, of what is refused
//   keep    NAME = EXPRESSION, to be compared later
//   check   CONDITION that must hold: a figure of the text, or what the learner was asked to do;
//           then, if one wants,  else TEXT  that says what is there instead
//   predict question, before the next command; then  answer EXPRESSION within 20 %,
//           and from 0 % to 100 % if no other answer can be
//   choose  question; then lines of  wrong TEXT  and one  right TEXT
//   do      a task for the learner; then the lines of  solve LINE  that do it, and checks
//   hint    for the step before it; `lesson hint` shows one after the other
//   fault   NAME VALUE of a setting, set without a word;  mend  says and ends it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/lessons/condition.h"

namespace tpulab {

enum class StepWord : std::uint8_t {
  say,
  stop,
  command,  // > and !
  keep,
  check,
  predict,
  choose,
  task,  // do
  solve,
  fault,
  mend,
};

struct LessonStep {
  StepWord word{};
  int line = 0;                        // in its file
  std::string text{};                  // of say, command, predict, choose, task, solve, fault
  bool refused = false;                // of a command
  std::string name{};                  // of keep
  Expression value{};                  // of keep
  Condition condition{};               // of check, and of predict its answer
  std::string otherwise{};             // of check, said where it does not hold; may be empty
  std::vector<std::string> choices{};  // of choose
  std::optional<std::size_t> right{};  // which of them
  std::vector<std::string> hints{};
};

struct Lesson {
  std::string name;  // of its file, without number and ending: "one-core"
  int number = 0;    // 0 of a file of one's own
  std::string title;
  std::string about;
  std::string hides;
  std::vector<std::string> page;  // sentences that it looks into
  std::vector<LessonStep> steps;
};

inline constexpr std::size_t largest_lesson_bytes = std::size_t{64} << 10;
inline constexpr std::size_t most_lesson_steps = 500;

// Throws Error "FILE:LINE: what was expected" for text that is no lesson, and for commands that
// lessons may not type (they leave the program, write files or play lessons).
Lesson parse_lesson(std::string_view text, const std::string& file);

// The text with its {expressions} filled in. A figure that nothing has said is a question mark, or
// with `strict` an Error.
std::string filled_in(const std::string& text, const FigureScope& scope, bool strict);

}  // namespace tpulab
