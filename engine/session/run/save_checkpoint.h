// What is to be written of a run, or of each.
#pragma once

#include <cstdint>
#include <string>

namespace tpulab {

struct SaveCheckpoint {
  std::string file;          // of the newest run, between two steps
  std::int64_t every = -1;   // of each run, unless its settings save otherwise; 0: no more
  std::string typed = file;  // that file in the quotes it needs to be typed
};

}  // namespace tpulab
