// A framed text over the panes: help.
#pragma once

#include "tui/screen/screen.h"

namespace tpulab {

// Fills `area`, or nothing without an overlay. Tells the rows of text seen at once and the furthest
// that it can be scrolled; `state.overlay_scroll` beyond that counts as that.
void draw_overlay(const ScreenState& state, DrawnScreen& drawn, Rect area);

}  // namespace tpulab
