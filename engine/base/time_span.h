// From one moment to another, on one clock.
#pragma once

#include "engine/base/units.h"

namespace tpulab {

struct TimeSpan {
  Picoseconds start{};
  Picoseconds end{};

  Picoseconds length() const { return end - start; }
};

}  // namespace tpulab
