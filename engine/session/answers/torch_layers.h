// A line of layers in PyTorch's words.
#pragma once

#include <string>
#include <string_view>

#include "engine/training/dataset.h"

namespace tpulab {

// Of "dense 512 relu | dense 10", which the data suits: "nn.Linear(64, 512), nn.ReLU(),
// nn.Linear(512, 10)". It reads rows of numbers, and makes images of them where a layer reads
// those; a window that is "same" begins where PyTorch has it. Throws Error for a layer it has no
// words for.
std::string torch_layers(std::string_view line, const Dataset& data);

}  // namespace tpulab
