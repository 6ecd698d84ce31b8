// Why a program has to be compiled although others are in the cache, in one line.
#pragma once

#include <string>

#include "engine/compiler/cache.h"

namespace tpulab {

// The difference to the cached program with the fewest differing parts: "input 0: f32[32,64] ->
// f32[20,64], last batch; and 2 more". `note` says what the caller knows about its inputs.
std::string compile_cause(const ProgramCache& cache, const Fingerprint& fresh,
                          const std::string& note);

}  // namespace tpulab
