// Which of several branches is the longest: asked of a text before a chip is chosen.
#pragma once

#include "engine/base/work.h"

namespace tpulab {

// Seconds about, in the proportions of v4, which lie in the middle: 275 TFLOP/s, 4,096 lanes
// of 1.05 GHz, 1.2 TB/s of HBM, links of 45 GB/s, 16 GB/s to the host, 1 us a kernel (their sources
// stand in machine/generations.cpp). They compare branches and are printed nowhere.
double about_seconds(const KernelWork& kernel);

}  // namespace tpulab
