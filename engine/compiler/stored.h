// Where the values of a program lie: folded nodes have no memory, so reading one reads what it is
// made of.
#pragma once

#include <vector>

#include "engine/compiler/program.h"

namespace tpulab {

// The node is an input or computed by a kernel: its value lies in HBM or in that kernel.
bool stored(const Program& program, NodeId id);
// What the inputs of `node` really read, each once: themselves, or what a folded node is made of;
// constants are written into the kernel and are nothing to read.
std::vector<NodeId> stored_inputs(const Program& program, const Node& node);
// The inputs of a node whose values count: not those that only lend a broadcast their shape.
std::span<const NodeId> value_inputs(const Node& node);
// The memory that holds an output: its own, or that of the value which a bitcast looks at.
NodeId memory_of(const Program& program, NodeId id);

}  // namespace tpulab
