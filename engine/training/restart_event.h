// What a restart is in the records of a run.
#pragma once

#include "engine/runtime/record.h"
#include "engine/training/loop.h"

namespace tpulab {

// Of a loop whose restart is due.
Event restart_event(const Loop& loop);

}  // namespace tpulab
