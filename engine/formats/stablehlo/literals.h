// The numbers of a constant: dense<[[1.0, 2.0]]>, dense<"0x3F800000">.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tpulab::stablehlo {

// In row-major order, one for each element. Throws Error for another number of them, and for what
// is no number of this element type.
std::vector<float> numbers_of_literal(std::string_view literal, std::string_view element,
                                      std::int64_t elements);

}  // namespace tpulab::stablehlo
