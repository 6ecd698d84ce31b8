// Hand-made snapshots with figures as a real run has them, for every test that draws.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/session/run/run_timeline.h"
#include "tui/screen/screen.h"

namespace tpulab {

// A v3-8 before the first run.
Snapshot example_empty_snapshot();
// The default experiment at step 112 of 180: all eight cores wait for their host.
Snapshot example_training_snapshot();
// The same with devices [1]: only the core of index 1 works.
Snapshot example_one_core_snapshot();
// A run with recompiles, CPU fallbacks, and core 4 slower than the others.
Snapshot example_events_snapshot();
// `cores` cores at work, with duty cycles between 40 % and 47 %, the last one at 12 %.
Snapshot example_pod_snapshot(int cores);

// So many steps of 100 us: the host traces for 80, then eight cores work for 15 and sum for 5. In
// the first one the host compiles for 900 us, too.
std::shared_ptr<const RunTimeline> example_timeline(std::int64_t steps);

// The events as run 2, after a run 1 of so many steps of the same kind.
Snapshot example_two_runs_snapshot(std::int64_t steps = 60);

// A screen with an empty prompt over the snapshot; its output pane shows the snapshot's own lines.
ScreenState example_screen(Snapshot snapshot);

}  // namespace tpulab
