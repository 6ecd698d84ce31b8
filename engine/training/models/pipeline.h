// Pipelines: stages that each have some of the layers.
#pragma once

#include "engine/training/models/traced_step.h"

namespace tpulab {

// The work of one stage of a step whose layers several stages divide. `stage` is the work of one
// microbatch with the stage's layers, `step` how it was traced.
// Microbatches follow each other without interleaving (GPipe): m of them take m + p - 1 turns of p
// stages, of which p - 1 have no rows; what lies outside of the layers each stage does for a p-th
// of the rows. Throws Error where it has not one stack of layers.
StepWork stage_of(StepWork stage, const TracedStep& step, const WorkOptions& options);

}  // namespace tpulab
