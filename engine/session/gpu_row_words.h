// A row of GPUs in words, with every constant's source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// "v100x8" or "v100". Throws Error with the nearest names.
std::vector<std::string> gpu_row_in_words(std::string_view name);

}  // namespace tpulab
