// The panes of a small screen (60x16), in words: no tiles, no strip.
#pragma once

#include "tui/panels/panel.h"

namespace tpulab {

// Fills `area`; the output takes what is left below the figures. Answers where that is.
Rect draw_reduced(const Snapshot& now, const ViewState& view, Canvas& canvas, Rect area);

}  // namespace tpulab
