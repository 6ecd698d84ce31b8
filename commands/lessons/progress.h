// How far each lesson was played and how its questions were answered, kept between sessions:
// $XDG_STATE_HOME/tpulab/lessons, a line each.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "commands/lessons/player.h"

namespace tpulab {

struct LessonProgress {
  std::string how_far;  // "finished", "step 5 of 12"
  LessonMarks marks{};
};

// "finished, 5 of 6 right, 1 hint"
std::string words_of(const LessonProgress& progress);

// By the lesson's name. Empty if nothing is kept or readable.
std::map<std::string, LessonProgress> lesson_progress();

// A finished lesson stays finished, with the marks of that time. Answers what went wrong.
std::optional<std::string> note_lesson_progress(const std::string& name,
                                                const LessonProgress& progress);

}  // namespace tpulab
