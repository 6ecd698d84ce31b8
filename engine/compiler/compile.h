// The table of contents of the compiler: Cut -> Program.
#pragma once

#include <memory>

#include "engine/compiler/program.h"

namespace tpulab {

// Runs every pass in order. Throws Error for what a device cannot run.
std::shared_ptr<const Program> compile(const Cut& cut);

// The passes; each works on the program in place and leaves it legal for the next.
void simplify(Program& program);  // merges equal subexpressions, removes what nobody reads
void shard(Program& program);     // how the merged execution holds each value, and whether it may
void fuse(Program& program);  // groups nodes into kernels and says what each one moves and computes
void schedule(Program& program);      // last uses and peak HBM
void verify(const Program& program);  // what must hold after the last pass; std::logic_error if not

}  // namespace tpulab
