// Where the values of a program lie: folded nodes have no memory, so reading one reads what it is
// made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/compiler/program.h"

namespace tpulab {

// The node is an input or computed by a kernel: its value lies in HBM or in that kernel.
inline bool stored(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  return node.leaf() || (!program.folded[static_cast<std::size_t>(id)] && !node.traits.constant);
}
// The inputs of a node whose values count: not those that only lend a broadcast their shape.
inline std::span<const NodeId> value_inputs(const Node& node) {
  const std::span<const NodeId> all(node.inputs);
  return node.traits.repeats ? all.first(1) : all;
}
// What the inputs of `node` really read, each once: themselves, or what a folded node is made of;
// constants are written into the kernel and are nothing to read.
std::vector<NodeId> stored_inputs(const Program& program, const Node& node);
// The same of all nodes, as they are folded when it is made, and who reads them.
class Wiring {
 public:
  explicit Wiring(const Program& program);

  std::span<const NodeId> inputs(NodeId id) const { return list(inputs_, first_input_, id); }
  // In the order of the nodes.
  std::span<const NodeId> readers(NodeId id) const { return list(readers_, first_reader_, id); }

 private:
  static std::span<const NodeId> list(const std::vector<NodeId>& all, const std::vector<int>& first,
                                      NodeId id) {
    const auto at = static_cast<std::size_t>(id);
    return std::span(all).subspan(static_cast<std::size_t>(first[at]),
                                  static_cast<std::size_t>(first[at + 1] - first[at]));
  }

  // Lists of all nodes one behind the other, and where each begins.
  std::vector<NodeId> inputs_;
  std::vector<int> first_input_;
  std::vector<NodeId> readers_;
  std::vector<int> first_reader_;
};
// Per node: the last kernel that reads it, or that computes it; of outputs one behind all. Of
// numbers those count that read more than which of them are above zero.
enum class ReadersOf : std::uint8_t { values, numbers };
std::vector<int> last_reads(const Program& program, ReadersOf which);
// Of what a node reads, in order: what its op is asked its work with.
std::vector<Type> types_read(const Program& program, const Node& node);
// The memory that holds an output: its own, or that of the value which a bitcast looks at.
NodeId memory_of(const Program& program, NodeId id);

}  // namespace tpulab
