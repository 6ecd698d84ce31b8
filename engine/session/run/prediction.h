// What advice said that the next run would reach.
#pragma once

#include <string>

namespace tpulab {

// Samples a second of TPU time.
struct Rates {
  double steady = 0;     // in steps that compile nothing
  double from_cold = 0;  // of the whole run from a cold start, compiles included; 0: not known
};

struct Prediction {
  std::string change;  // "batch 128; progress_bar off"
  Rates before{};
  Rates after{};

  // What spares compiles alone is judged by the whole run.
  bool spares_compiles() const {
    constexpr double little = 0.02;
    const bool known = before.from_cold > 0 && after.from_cold > 0;
    return known && after.steady < before.steady * (1 + little) &&
           after.from_cold > before.from_cold * (1 + little);
  }
};

}  // namespace tpulab
