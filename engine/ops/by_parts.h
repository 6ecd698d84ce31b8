// Functions as JAX's loops over layers differentiate them: of each part of a function its slope is
// made in the forward pass and kept, not made again of what the function reads.
#pragma once

#include "engine/ops/ops.h"

namespace tpulab {

// u = a x + b x^3 with a = sqrt(2 / pi), b = 0.044715 a; gelu = x / 2 (1 + tanh u) [Hendrycks and
// Gimpel 2016].
constexpr float gelu_linear = 0.7978845608f;
constexpr float gelu_cubic_share = 0.044715f;
constexpr float gelu_cubic = gelu_cubic_share * gelu_linear;

inline bool traced_by_parts(Tensor x) { return x.graph->region().finds == Region::Finds::slopes; }

Tensor silu_by_parts(Tensor x);
Tensor gelu_by_parts(Tensor x);  // tanh form
// Statistics in f32, the scale on what is rounded to x's dtype [MaxText's norms].
Tensor rms_norm_by_parts(Tensor x, Tensor scale, double epsilon);
Tensor layer_norm_by_parts(Tensor x, Tensor scale, Tensor bias, double epsilon);

}  // namespace tpulab
