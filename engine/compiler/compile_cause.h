// Why a program has to be compiled although others are in the cache: in one line, and in full.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/compiler/cache.h"

namespace tpulab {

struct CompileCause {
  std::string brief;  // "input 0: f32[32,64] -> f32[20,64], last batch; and 2 more"
  std::shared_ptr<const std::vector<std::string>> all;  // every difference, one each; never null
};

// The difference to the cached program with the fewest differing parts. `note` says what the
// caller knows about its inputs.
CompileCause compile_cause(ProgramCache& cache, const Program& program, const std::string& note);

}  // namespace tpulab
