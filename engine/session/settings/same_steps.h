// Whether two experiments take the same TPU time, step by step.
#pragma once

#include "engine/session/settings/settings.h"

namespace tpulab {

// True if they differ at most in what changes no step's TPU time: what computes the numbers, how
// fast the screen follows, how answers are written.
bool same_run(const Settings& a, const Settings& b);
// And if they differ in how many steps there are, or how far each moves the weights.
bool same_steps(const Settings& a, const Settings& b);

}  // namespace tpulab
