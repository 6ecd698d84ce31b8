// A value that a few cheap operations make of one array which lies in HBM anyway is not written:
// every kernel that reads it makes it again (the rounded weights, the ReLU before the next
// product).
#include <algorithm>
#include <optional>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

// Cheap enough to be done once per reader: what XLA calls inexpensive.
bool cheap(const Program& program, const Node& node) {
  std::vector<Type> types;
  for (const NodeId input : node.inputs) types.push_back(program.node(input).type);
  const Work work = node.op->work(types, node.type);
  const auto* loop = std::get_if<VectorWork>(&work);
  return loop && loop->medium == 0 && loop->transcendental == 0;
}

class Recomputer {
 public:
  explicit Recomputer(Program& program)
      : program_(program), kernel_of_(program.nodes.size(), -1), readers_(program.nodes.size()) {
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
      for (const NodeId id : program.kernels[k].nodes) {
        kernel_of_[static_cast<std::size_t>(id)] = static_cast<int>(k);
      }
    }
    for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
      for (const NodeId input : stored_inputs(program, program.node(id))) {
        readers_[static_cast<std::size_t>(input)].push_back(id);
      }
    }
  }

  void run() {
    for (NodeId id = 0; id < static_cast<NodeId>(program_.nodes.size()); ++id) {
      if (kernel_of(id) < 0 || !leaves(id, -1)) continue;
      for (const NodeId folded : chain_to_fold(id)) {
        program_.folded[static_cast<std::size_t>(folded)] = 1;
      }
    }
    for (Kernel& kernel : program_.kernels) {
      std::erase_if(kernel.nodes, [&](NodeId id) { return !stored(program_, id); });
    }
    std::erase_if(program_.kernels, [](const Kernel& kernel) { return kernel.nodes.empty(); });
  }

 private:
  int kernel_of(NodeId id) const { return kernel_of_[static_cast<std::size_t>(id)]; }

  // The node and those of its kernel that it is made of, if one array that stays in HBM is all
  // that they read beside single values; empty if not.
  std::vector<NodeId> chain_to_fold(NodeId id) const {
    std::vector<NodeId> chain;
    for (NodeId at = id;;) {
      if (!may_fold(at)) return {};
      chain.push_back(at);
      const std::optional<NodeId> array = only_array(at);
      if (!array) return {};
      if (program_.node(*array).leaf() || leaves(*array, at)) return chain;
      if (kernel_of(*array) != kernel_of(id)) return {};
      at = *array;
    }
  }

  bool may_fold(NodeId id) const {
    const Node& node = program_.node(id);
    return node.op->traits().elementwise && !node.type.shape.scalar() && !is_output(id) &&
           !travels(id) && cheap(program_, node);
  }

  // The one array that the node reads, if it is of its size.
  std::optional<NodeId> only_array(NodeId id) const {
    const std::int64_t elements = program_.node(id).type.shape.elements();
    std::optional<NodeId> array;
    for (const NodeId input : stored_inputs(program_, program_.node(id))) {
      const std::int64_t size = program_.node(input).type.shape.elements();
      if (size == 1) continue;
      if (size != elements || array) return {};
      array = input;
    }
    return array;
  }

  bool is_output(NodeId id) const {
    return std::ranges::any_of(program_.outputs,
                               [&](NodeId output) { return memory_of(program_, output) == id; });
  }

  // Must lie in HBM, whether or not `without` reads it.
  bool leaves(NodeId id, NodeId without) const {
    return is_output(id) ||
           std::ranges::any_of(readers_[static_cast<std::size_t>(id)], [&](NodeId reader) {
             return reader != without && stored(program_, reader) &&
                    kernel_of(reader) != kernel_of(id);
           });
  }

  bool travels(NodeId id) const {
    return std::ranges::any_of(readers_[static_cast<std::size_t>(id)], [&](NodeId reader) {
      return program_.node(reader).op->traits().collective;
    });
  }

  Program& program_;
  std::vector<int> kernel_of_;
  std::vector<std::vector<NodeId>> readers_;
};

}  // namespace

void recompute(Program& program) { Recomputer(program).run(); }

}  // namespace tpulab
