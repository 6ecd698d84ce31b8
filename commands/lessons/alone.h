// Plays a lesson without a person: every command is typed, every check must hold, every figure of
// the text must have been said.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "commands/answer.h"
#include "commands/lessons/lesson.h"

namespace tpulab {

// One step as it went.
struct PlayedStep {
  LessonStep step;
  std::string text;                    // with its figures
  std::vector<std::string> choices{};  // with theirs
  std::string answer{};                // of predict, once its command has ended
  std::vector<std::string> lines{};    // what a command answered, its run's lines too
  std::vector<OutputLine> rows{};      // the same by name
};

struct PlayedLesson {
  std::vector<PlayedStep> steps;
  std::vector<std::string> complaints;  // "line 12: ..."; empty if all went as it says
  std::int64_t commands = 0;
  std::int64_t checks = 0;
};

// With an engine of its own, from the default experiment: nothing of the session changes. Throws
// Error when `stop` is asked for.
PlayedLesson play_alone(const Lesson& lesson, const std::stop_token& stop);

}  // namespace tpulab
