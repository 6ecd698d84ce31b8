// How far each lesson was played, kept between sessions: $XDG_STATE_HOME/tpulab/lessons, a line
// each.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace tpulab {

// By the lesson's name: "finished", "step 5 of 12". Empty if nothing is kept or readable.
std::map<std::string, std::string> lesson_progress();

// A finished lesson stays finished. Answers what went wrong.
std::optional<std::string> note_lesson_progress(const std::string& name,
                                                const std::string& how_far);

}  // namespace tpulab
