// Clocks of elementwise work and reductions on the vector unit.
#pragma once

#include "engine/base/work.h"
#include "engine/machine/generation.h"

namespace tpulab {

// Elements are padded to tiles of 8 x 128 32-bit values: arithmetic is 32 bits wide, bf16 is
// widened first [PALLAS]. Cheap operations take one ALU slot, the others their class's constant;
// folding the innermost axis adds a latency for each block of 8 rows.
double vector_clocks(const VectorWork& work, const Generation& generation);

}  // namespace tpulab
