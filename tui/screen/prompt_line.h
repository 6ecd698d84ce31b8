// The last rows: the hint, and the line being typed with its cursor.
#pragma once

#include "tui/screen/screen.h"

namespace tpulab {

// Prompt and typed text on one row, scrolled sideways so that the cursor is seen; ‹ and › stand for
// what is left out. Returns the cursor's column.
int draw_prompt_line(const ScreenState& state, Canvas& canvas, int row);

// The first that there is: what the pane keys do, the usage of what is typed, what always works.
// As the rows above were drawn: which page of candidates, or the advice if it had no row there.
void draw_hint_line(const ScreenState& state, const DrawnScreen& drawn, Canvas& canvas, int row);

}  // namespace tpulab
