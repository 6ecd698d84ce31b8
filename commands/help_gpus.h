// The page `help gpus`: how many GPUs a TPU is.
#pragma once

#include <string_view>

namespace tpulab {

// Lines of at most 78 columns.
std::string_view gpus_text();

}  // namespace tpulab
