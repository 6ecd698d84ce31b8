// The products of a kernel as the machine's price streams them.
#pragma once

#include <vector>

#include "engine/base/work.h"
#include "engine/machine/machine.h"
#include "engine/session/answers/product_tiles.h"

namespace tpulab {

// In the order of the kernel's work; a product with a vector is none, the vector unit does it.
std::vector<ProductTiles> products_of(const KernelWork& work, const Machine& machine);

}  // namespace tpulab
