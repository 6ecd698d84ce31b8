// The last step of a run: nothing follows that would show what its hosts still do.
#pragma once

#include "engine/runtime/simulate.h"

namespace tpulab {

// Ends with the latest host instead of its last program: until then the devices wait for what their
// own host does, which mostly reads a value.
void end_with_hosts(StepTimeline& step);

}  // namespace tpulab
