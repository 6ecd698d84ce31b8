// What a scheduled text needs of HBM, and of its host's memory.
#pragma once

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// The largest sum of what lies there at any moment of the schedule, padded as laid out: parameters,
// results, and what lies between, each from where it is made to where it is read last. A body's own
// lie there while its loop runs.
Bytes memory_of_schedule(const Module& module);
// The same of what lies in the host's memory.
Bytes host_memory_of_schedule(const Module& module);

}  // namespace tpulab::hlo
