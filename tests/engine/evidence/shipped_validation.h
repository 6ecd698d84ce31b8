// The shipped points beside what is estimated of them. Shared: the fits take a while.
#pragma once

#include "engine/evidence/validate.h"

namespace tpulab {

inline const Validation& shipped() {
  static const Validation validation = validate(shipped_points());
  return validation;
}

}  // namespace tpulab
