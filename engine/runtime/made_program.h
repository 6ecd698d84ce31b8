// How a program comes to a process that does not have it in memory.
#pragma once

#include <memory>
#include <string>

#include "engine/compiler/cache.h"
#include "engine/compiler/compile_cause.h"
#include "engine/machine/machine.h"
#include "engine/runtime/metrics.h"
#include "engine/runtime/record.h"

namespace tpulab {

// It is compiled, for that cause; or loaded, where the cache keeps programs on disk and has it
// there. From then on it is in memory, and on disk where the stack keeps what compiles that long.
// Counts what PyTorch/XLA does [X:torch_xla/csrc/runtime/cache.h]: a hit is CachedCompile and
// PersistentCacheHit, and has no CompileTime.
Event made_program(std::shared_ptr<const Program> program, const std::string& name,
                   const CompileCause& cause, ProgramCache& cache, Metrics& metrics,
                   const Machine& machine);

}  // namespace tpulab
