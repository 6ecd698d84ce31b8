// What Enter tells of a moment of a run's timeline: what it was, and what explains it.
#pragma once

#include "tui/panels/panel.h"
#include "tui/timeline/words.h"

namespace tpulab {

// A compile with its cause, a fallback or a read with its cost, a kernel or a collective with its
// price, and of all else what the host did in that step.
Opened opened_moment(const Snapshot& now, const TimeAxis& axis, const TimelineCursor& cursor);

}  // namespace tpulab
