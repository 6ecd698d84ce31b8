#include "engine/runtime/run_order.h"

#include <algorithm>

#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

// The one kernel that reads the node, -1 if none or several do, or the caller of the program.
int only_reader(const RunOrder& order, const Program& program, NodeId id) {
  if (std::ranges::find(program.outputs, id) != program.outputs.end()) return -1;
  int reader = -1;
  for (std::size_t k = 0; k < order.kernels.size(); ++k) {
    const bool reads = std::ranges::any_of(order.kernels[k], [&](NodeId node) {
      return std::ranges::count(program.node(node).inputs, id) > 0;
    });
    if (!reads) continue;
    if (reader >= 0) return -1;
    reader = static_cast<int>(k);
  }
  return reader;
}

}  // namespace

RunOrder run_order(const Program& program) {
  RunOrder order{.first = {},
                 .kernels = std::vector<std::vector<NodeId>>(program.kernels.size()),
                 .last_use = program.last_use};
  std::vector<int> home(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      home[static_cast<std::size_t>(id)] = static_cast<int>(k);
    }
  }
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    const Node& node = program.node(id);
    if (node.leaf()) continue;
    int& kernel = home[static_cast<std::size_t>(id)];
    if (!stored(program, id)) {
      for (const NodeId input : value_inputs(node)) {
        kernel = std::max(kernel, home[static_cast<std::size_t>(input)]);
      }
    }
    auto& nodes = kernel < 0 ? order.first : order.kernels[static_cast<std::size_t>(kernel)];
    nodes.push_back(id);
  }
  return order;
}

RunOrder merged_run_order(const Program& program) {
  RunOrder order = run_order(program);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    if (!program.kernels[k].collective) continue;
    std::erase_if(order.kernels[k], [&](NodeId id) {
      const int reader = only_reader(order, program, id);
      if (reader < 0) return false;
      auto& nodes = order.kernels[static_cast<std::size_t>(reader)];
      nodes.insert(std::ranges::lower_bound(nodes, id), id);
      for (const NodeId input : program.node(id).inputs) {
        int& last = order.last_use[static_cast<std::size_t>(input)];
        last = std::max(last, reader);
      }
      return true;
    });
  }
  return order;
}

}  // namespace tpulab
