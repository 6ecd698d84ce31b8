// What PyTorch/XLA counts while it traces: calls of lowered operations, as "xla::addmm".
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "engine/graph/graph.h"

namespace tpulab {

// Calls behind the whole graph, by counter. One call of torch may be several nodes here, and the
// other way round: a linear layer is one addmm, Adam's first moment one lerp. Views, copies and
// what one device asks of others are not counted.
std::map<std::string_view, std::int64_t> traced_calls(const Graph& graph);

}  // namespace tpulab
