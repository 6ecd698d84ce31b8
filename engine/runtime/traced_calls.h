// What PyTorch/XLA counts while it traces: calls of lowered operations, as "xla::addmm".
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "engine/graph/graph.h"

namespace tpulab {

using CallCounts = std::map<std::string_view, std::int64_t>;

// Calls behind a graph, or behind its nodes from `first` up to `end`, by counter. One call of torch
// may be several nodes here, and the other way round: a linear layer is one addmm, Adam's first
// moment one lerp. Views, copies and what one device asks of others are not counted, nor gradients
// that nothing reads and nobody keeps.
CallCounts traced_calls(const Graph& graph, NodeId first, NodeId end,
                        std::span<const NodeId> kept = {});

}  // namespace tpulab
