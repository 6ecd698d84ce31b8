// How a batch comes to a device.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/machine/machine.h"
#include "engine/runtime/record.h"

namespace tpulab {

// `rows` and `bytes` of one device. Where nothing is sent ahead, rows come from num_workers
// processes, or from the training process itself where nobody asks for any, and the step sends
// them. Usually there are `loaders`.
std::vector<Event> batch_events(std::int64_t rows, Bytes bytes, double loaders,
                                const Machine& machine);

}  // namespace tpulab
