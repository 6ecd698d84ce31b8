// GPUs in words: every constant of a row with its source, every published figure.
#pragma once

#include <string_view>

#include "engine/session/answers/described.h"

namespace tpulab {

// "v100x8" or "v100". Throws Error with the nearest names.
Described gpu_row_in_words(std::string_view name);
// Every published figure of GPUs: lines with the TPU boards it is set against, and a row each.
struct PublishedGpus {
  std::vector<std::string> lines;
  std::vector<OutputLine> rows;
};
PublishedGpus published_gpus();

}  // namespace tpulab
