// The nodes of a program in the order in which they are evaluated. Folded values, which a device
// makes again in each kernel that reads them, are made once here: with what they are made of.
#pragma once

#include <vector>

#include "engine/compiler/program.h"

namespace tpulab {

struct RunOrder {
  std::vector<NodeId> first;                 // before all kernels
  std::vector<std::vector<NodeId>> kernels;  // as in Program::kernels
  std::vector<int> last_use;                 // per node, as in Program::last_use
};

RunOrder run_order(const Program& program);
// For merged replicas, where an all-reduce is a loop over sums that are there already: it runs in
// the loop of the kernel that reads it, if that is only one.
RunOrder merged_run_order(const Program& program);

}  // namespace tpulab
