// Slows a run down so that people can watch it. Never touches TPU time, numbers or benchmarks.
#pragma once

#include <chrono>
#include <string>

#include "engine/base/units.h"

namespace tpulab {

// How long a step of `tpu_time` that took `wall` should still be shown: `max` never waits, `watch`
// shows ten steps a second, `real` lasts as long as the TPU would, `1/N` N times as long.
std::chrono::duration<double> pause_after_step(const std::string& pace, Picoseconds tpu_time,
                                               std::chrono::duration<double> wall);

}  // namespace tpulab
