// GPUs in words: every constant of a row with its source, every published figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// "v100x8" or "v100". Throws Error with the nearest names.
std::vector<std::string> gpu_row_in_words(std::string_view name);
// Every published figure of GPUs, with the TPU boards it is set against.
std::vector<std::string> published_gpus_in_words();

}  // namespace tpulab
