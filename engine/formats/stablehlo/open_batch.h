// Texts whose batch is open: jax.export with one symbolic size, which stands as `?` in every shape.
// They are read with a number in its place, and then need none of what computes shapes.
#pragma once

#include <cstdint>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// Operations that take a shape as a value become those that have it in their type:
// dynamic_broadcast_in_dim -> broadcast_in_dim. Every `?` was read as `rows`. Throws Error naming
// the operation where a size follows from the batch and is not the batch itself, and where more
// than one size is open.
void close_batch(Module& module, std::int64_t rows);

}  // namespace tpulab::stablehlo
