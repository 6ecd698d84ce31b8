// What PyTorch/XLA counts while it traces: calls of lowered operations, as "xla::addmm".
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "engine/graph/graph.h"

namespace tpulab {

using CallCounts = std::map<std::string_view, std::int64_t>;

// Calls behind a graph, or behind its nodes from `first` up to `end`, by counter. One call of torch
// may be several nodes here, and the other way round: a linear layer is one addmm, Adam's first
// moment one lerp. Views, copies and what one device asks of others are not counted.
CallCounts traced_calls(const Graph& graph, NodeId first, NodeId end);
inline CallCounts traced_calls(const Graph& graph) { return traced_calls(graph, 0, graph.size()); }

}  // namespace tpulab
