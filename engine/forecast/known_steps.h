// Steps and programs of named networks, each worked out once however many runs and answers ask.
#pragma once

#include <memory>

#include "engine/forecast/timed_programs.h"

namespace tpulab {

// As resolved_step(); the same object for the same request, while few others were asked for. Safe
// from all threads. Throws Error.
std::shared_ptr<const ResolvedStep> known_step(const ForecastRequest& request,
                                               const Machine& machine);

// Of that step. Throws RESOURCE_EXHAUSTED where `machine` is too small for it.
std::shared_ptr<TimedPrograms> known_programs(const ForecastRequest& request,
                                              const Machine& machine);

}  // namespace tpulab
