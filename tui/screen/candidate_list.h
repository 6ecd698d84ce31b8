// What Tab could not decide between, above the prompt: group by group, each with its meaning.
#pragma once

#include "tui/screen/screen.h"

namespace tpulab {

// On the rows above `below`, at most half of the screen; what does not fit has further pages.
// Answers how many there are.
int draw_candidates(const ScreenState& state, Canvas& canvas, int below);

}  // namespace tpulab
