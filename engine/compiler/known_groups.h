// Which nodes became kernels together is decided by who reads whom, by traits and regions, and by
// which arrays have as many elements as others, not by how many these are, but for what all-reduces
// send. So a step with another batch mostly has the groups that one before it had.
#pragma once

#include <memory>
#include <vector>

#include "engine/compiler/program.h"

namespace tpulab {

using KernelNodes = std::vector<std::vector<NodeId>>;  // of each kernel, in run order

// All that fuse() looks at.
FingerprintKey fusion_key(const Program& program, bool rows_in_vmem);

// Null where nothing like it was fused lately. Both are safe from all threads.
std::shared_ptr<const KernelNodes> known_groups(const FingerprintKey& key);
void remember_groups(const FingerprintKey& key, std::shared_ptr<const KernelNodes> groups);

}  // namespace tpulab
