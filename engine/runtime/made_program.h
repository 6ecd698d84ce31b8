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

// Whether the cache has it on disk, where it lies from then on if the stack keeps what compiles
// that long.
bool loaded_from_disk(const Program& program, ProgramCache& cache, const Machine& machine);

// It is compiled, for that cause; or loaded, where the cache has it on disk. From then on it is in
// memory.
// Counts what PyTorch/XLA does [X:torch_xla/csrc/runtime/cache.h]: a hit is CachedCompile and
// PersistentCacheHit, and has no CompileTime.
Event made_program(std::shared_ptr<const Program> program, const std::string& name,
                   const CompileCause& cause, ProgramCache& cache, Metrics& metrics,
                   const Machine& machine);

}  // namespace tpulab
