// What each kernel is called, what it reads from HBM and writes there, and what it computes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

std::string name_of_kernel(const Program& program, const Kernel& kernel) {
  std::string name(program.node(kernel.nodes[0]).op->name());
  if (kernel.collective && kernel.nodes.size() > 1) {
    return fmt::format("{} x {}", name, kernel.nodes.size());
  }
  constexpr std::size_t shown = 4;
  for (std::size_t i = 1; i < std::min(kernel.nodes.size(), shown); ++i) {
    name += fmt::format("+{}", program.node(kernel.nodes[i]).op->name());
  }
  if (kernel.nodes.size() > shown) name += fmt::format("+{} more", kernel.nodes.size() - shown);
  return name;
}

// All calls of one kernel travel together.
Work joined_collective(const std::vector<Work>& items) {
  CollectiveWork all = std::get<CollectiveWork>(items[0]);
  for (std::size_t i = 1; i < items.size(); ++i) {
    all.bytes += std::get<CollectiveWork>(items[i]).bytes;
  }
  return all;
}

// Per node, whether its value must reach HBM: another kernel reads it, or it is an output.
std::vector<char> leaving(const Program& program) {
  std::vector<int> kernel_of(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      kernel_of[static_cast<std::size_t>(id)] = static_cast<int>(k);
    }
  }
  std::vector<char> leaves(program.nodes.size(), 0);
  for (const NodeId output : program.outputs) {
    leaves[static_cast<std::size_t>(memory_of(program, output))] = 1;
  }
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    if (kernel_of[id] < 0) continue;
    for (const NodeId input : stored_inputs(program, program.nodes[id])) {
      const auto at = static_cast<std::size_t>(input);
      if (kernel_of[at] != kernel_of[id]) leaves[at] = 1;
    }
  }
  return leaves;
}

class Measurer {
 public:
  Measurer(const Program& program, Kernel& kernel)
      : program_(program), kernel_(kernel), inside_(kernel.nodes.begin(), kernel.nodes.end()) {}

  void run(const std::vector<char>& leaves) {
    kernel_.name = name_of_kernel(program_, kernel_);
    for (const NodeId id : kernel_.nodes) {
      const Node& node = program_.node(id);
      compute(node);
      kernel_.launches += node.op->traits().kernels - 1;
      for (const NodeId input : stored_inputs(program_, node)) read(input);
      if (leaves[static_cast<std::size_t>(id)]) {
        kernel_.work.writes.push_back(node.type.operand());
      }
    }
    if (kernel_.collective) kernel_.work.items = {joined_collective(kernel_.work.items)};
  }

 private:
  void read(NodeId id) {
    if (inside_.contains(id) || !seen_.insert(id).second) return;
    kernel_.work.reads.push_back(program_.node(id).type.operand());
  }

  // The node, and the folded ones that it reads, each once.
  void compute(const Node& node) {
    std::vector<Type> types;
    for (const NodeId input : node.inputs) types.push_back(program_.node(input).type);
    kernel_.work.items.push_back(node.op->work(types, node.type));
    for (const NodeId input : value_inputs(node)) {
      const bool folded = program_.folded[static_cast<std::size_t>(input)] != 0;
      if (folded && seen_.insert(input).second) compute(program_.node(input));
    }
  }

  const Program& program_;
  Kernel& kernel_;
  std::set<NodeId> inside_;
  std::set<NodeId> seen_;
};

}  // namespace

void measure(Program& program) {
  const std::vector<char> leaves = leaving(program);
  for (Kernel& kernel : program.kernels) Measurer(program, kernel).run(leaves);
}

}  // namespace tpulab
