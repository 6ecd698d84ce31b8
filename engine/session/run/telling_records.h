// Which records of a run are simulated again to say what makes its steps long.
#pragma once

#include <cstddef>
#include <span>

#include "engine/runtime/record.h"

namespace tpulab {

// The newest, `most` at most; where they repeat themselves, whole turns of that and 32 at least: as
// much of each kind of step as all have.
inline constexpr std::size_t most_told = 1024;
std::span<const StepRecord> telling_records(std::span<const StepRecord> records,
                                            std::size_t most = most_told);

}  // namespace tpulab
