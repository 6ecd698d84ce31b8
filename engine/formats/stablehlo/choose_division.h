// By which of its factors devices share one operation.
#pragma once

#include <vector>

#include "engine/formats/stablehlo/divided_program.h"

namespace tpulab::stablehlo {

// For each factor of the link's rule the axes of the mesh that divide it. Axis by axis the factor
// is taken that moves the fewest bytes: of operands that lie otherwise, and of results that are
// wanted otherwise or are sums. A product is divided if it can be.
std::vector<MeshAxes> choose_division(const DividedProgram& program, const DividedLink& link,
                                      const DeviceMesh& mesh);

}  // namespace tpulab::stablehlo
