// Exact virtual speed-ups of an estimate, and the kernels behind it.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/session/answers/priced_program.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

struct SpeedUp {
  std::string resource;  // "HBM", "host tracing"; "no straggler" where one is set
  double ratio = 1;      // of a steady step to that of the same records as they are
};

// A steady step with one resource `factor` times as fast and all else as it is: the same records
// simulated again, so exact within the model. Every resource once, and no straggler in place of
// one that is set, the most worth first. Throws Error for settings that do not fit together, and
// when `stop` is asked for.
std::vector<SpeedUp> speed_ups(const Settings& settings, double factor,
                               const std::stop_token& stop = {});

// What a device does in a steady step of these settings, in all programs of it, in the mean.
struct StepLoad {
  Flops operations;    // unpadded, of matrix units, on rows
  Bytes traffic;       // over HBM
  Bytes without_rows;  // of that in turns of a pipeline that have none
};
// Throws as above.
StepLoad estimated_load(const Settings& settings, const std::stop_token& stop = {});

// The training step of these settings, kernel by kernel, without running it. Throws as above.
PricedProgram estimated_program(const Settings& settings, const std::stop_token& stop = {});

}  // namespace tpulab
