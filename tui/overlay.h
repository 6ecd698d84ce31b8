// A framed text over the panes: help.
#pragma once

#include "tui/screen.h"

namespace tpulab {

// Fills `area`. Returns the furthest it can be scrolled; `state.overlay_scroll` beyond it counts as
// that.
int draw_overlay(const ScreenState& state, Canvas& canvas, Rect area);

}  // namespace tpulab
