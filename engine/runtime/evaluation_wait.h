// Devices that are through with an evaluation before others wait for these in the training step
// behind it. That wait is no part of a step.
#pragma once

#include <vector>

#include "engine/runtime/simulate.h"

namespace tpulab {

class EvaluationWait {
 public:
  // Of all steps in turn: what a device of each group waits so in this one; empty where none does.
  std::vector<Picoseconds> of(const StepTimeline& step);

 private:
  // By how much each group was ahead of the last before what is no training; empty where all is.
  std::vector<Picoseconds> ahead_;
};

}  // namespace tpulab
