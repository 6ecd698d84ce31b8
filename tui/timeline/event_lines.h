// What the panes say of a compile, and of an op that left the TPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"

namespace tpulab {

std::vector<std::string> compile_lines(const Snapshot& now, const CompileEvent& event);
std::vector<std::string> fallback_lines(const FallbackRow& row);

// As item() and checkpoints are: a value that the host reads computes nothing on the CPU.
bool only_reads(const FallbackRow& row);
Picoseconds total_of(const FallbackRow& row);

struct FallbackCounts {
  std::int64_t ops = 0;
  std::int64_t reads = 0;
};
FallbackCounts counts_of(const std::vector<FallbackRow>& rows);

}  // namespace tpulab
