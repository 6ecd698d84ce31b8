// A lesson of one's own: faults that follow from a name, so that no two of a class have the same.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "commands/lessons/lesson.h"

namespace tpulab {

// The name as it was typed, in one word or several, with quotes or without.
std::string learner_named(std::span<const std::string> words);
// Its text: one fault of a run of ResNet-50 and one of the digits, and where the right answer
// stands. Small and capital letters are the same. Throws Error for a name that is empty, longer
// than 60 characters, or has characters that are not printed.
// The lesson is called by it: faults-of-ada-lovelace.
inline constexpr std::string_view personal_lesson_name = "faults-of-";
std::string personal_lesson_text(std::string_view learner);
Lesson personal_lesson(std::string_view learner);

}  // namespace tpulab
