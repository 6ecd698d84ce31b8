// Whether a run fits: the HBM of one emulated device, and the memory of this computer.
#pragma once

#include "engine/base/units.h"
#include "engine/session/settings.h"

namespace tpulab {

// Of the perceptron that `hidden` describes: weights and biases.
std::int64_t parameter_count(const Settings& settings);
// "64-1024-1024-10"
std::string layer_widths_text(const Settings& settings);

// What one device holds, in the storage dtype and padded to tiles: every value of the training step
// is counted once with its gradient, nothing is reused. The compiler's own plan stays below it.
struct MemoryNeed {
  Bytes weights;
  Bytes gradients;        // twice: as computed, and as reduced or made ready for the update
  Bytes optimizer_state;  // Adam 2 values per weight, SGD with momentum 1
  Bytes per_row;          // one row of the batch: 2 x the layer widths, input included

  Bytes state() const { return weights + gradients + optimizer_state; }
};
MemoryNeed memory_need(const Settings& settings);

// Rows of one device in an epoch, as Lightning's DistributedSampler pads them: 1,437 on 8 -> 180.
std::int64_t rows_per_device(const Settings& settings);

// Throws Error: what needs how much, and the largest batch that fits.
void check_memory(const Settings& settings);

}  // namespace tpulab
