// The last rows: completions, the hint, and the line being typed with its cursor.
#pragma once

#include "tui/screen/screen.h"

namespace tpulab {

// Prompt and typed text on one row, scrolled sideways so that the cursor is seen; ‹ and › stand for
// what is left out. Returns the cursor's column.
int draw_prompt_line(const ScreenState& state, Canvas& canvas, int row);

// The first that there is: what the pane keys do, the usage of what is typed, what always works.
// `advises`: the advice is the hint where there is no other.
void draw_hint_line(const ScreenState& state, Canvas& canvas, int row, bool advises = false);

// Candidates in columns, their last row just above `below`; at most a third of the screen.
void draw_completions(const ScreenState& state, Canvas& canvas, int below);

}  // namespace tpulab
