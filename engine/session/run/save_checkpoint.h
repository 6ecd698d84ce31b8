// What is to be written of a run, or of each.
#pragma once

#include <cstdint>
#include <string>

namespace tpulab {

struct SaveCheckpoint {
  std::string file;          // of the newest run, between two steps
  std::int64_t every = -1;   // of each run, as often as save_every_n_steps; 0: no more
  std::string typed = file;  // that file in the quotes it needs to be typed
};

}  // namespace tpulab
