// All devices of a small mesh run one sharded program node by node, side by side. What they
// exchange is done by hand on their arrays: nothing here is shared with how such a program is
// priced.
#pragma once

#include <vector>

#include "engine/base/mesh.h"
#include "engine/compiler/program.h"

namespace tpulab::test {

// [device][input] -> [device][output]
std::vector<std::vector<Array>> run_in_lockstep(const Program& program, int devices,
                                                const std::vector<std::vector<Array>>& inputs);

// Share `index` of `count` along an axis.
Array share_of(const Array& whole, int axis, std::int64_t index, std::int64_t count);

}  // namespace tpulab::test
