// All stages of a pipeline run the program of one stage turn by turn, on rows and layers of their
// own. What they send each other is done by hand on their arrays: nothing here is shared with how
// a pipeline is priced.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/mesh.h"
#include "engine/training/models/traced_step.h"

namespace tpulab::test {

// What a stage did in a pass.
struct StageCounts {
  int layers = 0;   // runs of one, of some rows
  int outside = 0;  // runs of what lies before or behind the layers
  int sends = 0;    // arrays that left for another stage, or would have in a turn of the bubble
};

struct PipelinedStep {
  double loss = 0;
  // Summed over microbatches; those of layers by the name they have written out: "layer2.up.bias".
  std::map<std::string, Array> gradients;
  int turns = 0;  // of each pass
  std::vector<StageCounts> forward;
  std::vector<StageCounts> backward;
};

// The schedule of MaxText's layers/pipeline.py: in each turn a stage hands its rows to the next,
// and inputs move one stage towards the first, where results of the last take their place; so
// every stage feeds in, and gets back, consecutive microbatches. `step`: of one microbatch, one
// device a stage, its gradients kept; `weights`: by their names written out; rows and labels
// [microbatches] of a microbatch each.
PipelinedStep run_pipeline(const TracedStep& step, const Mesh& mesh,
                           const std::map<std::string, Array>& weights,
                           const std::vector<Array>& rows, const std::vector<Array>& labels);

}  // namespace tpulab::test
