// What advice said that the next run would reach.
#pragma once

#include <string>

namespace tpulab {

// Samples a second of TPU time, in steps that compile nothing.
struct Prediction {
  std::string change;  // "batch 128; progress_bar off"
  double before = 0;
  double after = 0;
};

}  // namespace tpulab
