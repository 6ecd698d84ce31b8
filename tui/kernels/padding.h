// What the matrix units multiply with zeros, in words.
#pragma once

#include <string>
#include <string_view>

#include "engine/session/answers/priced_program.h"

namespace tpulab {

// "k 129 -> 256 rows of weights, 50 % zeros", or "k 128 rows of weights"; "k 128" of no `what`.
std::string padding_words(const PaddedExtent& extent, std::string_view what);

// "zeros take 61 % of the kernels: layer2, k 129 -> 256; full at 128 or 256", the layer that
// multiplies with them for longest, whether or not memory hides it; shorter where that is longer
// than `columns`. Empty below a seventh of the step's kernels.
std::string worst_padding(const PricedProgram& program, int columns);

}  // namespace tpulab
