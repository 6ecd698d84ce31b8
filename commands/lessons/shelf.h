// The lessons there are: those of this build, and files.
#pragma once

#include <string>
#include <vector>

#include "commands/lessons/lesson.h"

namespace tpulab {

// In their order. Parsed once.
const std::vector<Lesson>& all_lessons();

// By number, by name, or of a file: a word with a dot or a slash. Throws Error with the nearest
// name, and for a file that is no lesson.
Lesson lesson_named(const std::string& word);

// What `lesson new` writes: a small lesson that plays, with every kind of line.
std::string lesson_template();

}  // namespace tpulab
