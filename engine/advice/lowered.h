// Operations that torch_xla runs on the CPU, and what is lowered in their place.
#pragma once

#include <string>
#include <string_view>

namespace tpulab {

// True where the shape of the result depends on values, so that each new one compiles.
bool has_dynamic_shape(std::string_view op);
// True where no release lowers it, whatever its arguments: "aten::median.dim".
bool has_no_lowering(std::string_view op);
// "one_hot(labels, classes).sum(0)"; a general one where none is known.
std::string lowered_alternative(std::string_view op);

}  // namespace tpulab
