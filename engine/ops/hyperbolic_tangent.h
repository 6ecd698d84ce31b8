// tanh and the logistic function from our own exponential: the same bits on every x86-64.
#pragma once

#include <cmath>

#include "engine/ops/exponential.h"

namespace tpulab {

// 1 / (1 + e^-x)
inline float logistic(float x) { return 1.0f / (1.0f + exponential(-x)); }

// A polynomial below 0.625, where the quotient would cancel. Coefficients: [Cephes tanhf].
inline float tanh_of(float x) {
  const float size = std::abs(x);
  if (size < 0.625f) {
    const float square = x * x;
    float sum = -5.70498872745e-3f;
    sum = sum * square + 2.06390887954e-2f;
    sum = sum * square - 5.37397155531e-2f;
    sum = sum * square + 1.33314422036e-1f;
    sum = sum * square - 3.33332819422e-1f;
    return sum * square * x + x;
  }
  return std::copysign(1.0f - 2.0f / (exponential(2.0f * size) + 1.0f), x);
}

}  // namespace tpulab
