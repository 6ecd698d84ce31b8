// Which part of a network each kernel belongs to, by the weights that it reads or changes.
#include <string_view>

#include "engine/compiler/compile.h"

namespace tpulab {

namespace {

constexpr std::string_view weight_ending = ".weight";

bool is_weight(const Node& node) { return node.leaf() && node.label.ends_with(weight_ending); }

// What is rounded, moved or laid out otherwise before it is read.
const Node& source_of(const Program& program, NodeId id) {
  const Node* node = &program.node(id);
  while (!node->leaf() && node->inputs.size() == 1) node = &program.node(node->inputs.front());
  return *node;
}

// For each node the weight that it changes: a gradient on its way to the update. Null for others.
std::vector<const Node*> changed_weights(const Program& program) {
  std::vector<const Node*> changed(program.nodes.size(), nullptr);
  for (auto id = std::ssize(program.nodes) - 1; id >= 0; --id) {
    const Node& node = program.nodes[static_cast<std::size_t>(id)];
    if (node.leaf()) continue;
    const std::int64_t elements = node.type.shape.elements();
    const Node*& own = changed[static_cast<std::size_t>(id)];
    for (const NodeId input : node.inputs) {
      const Node& read = program.node(input);
      if (is_weight(read) && read.type.shape.elements() == elements) own = &read;
    }
    const bool product = node.op->name() == "dot" || node.op->name() == "convolution";
    if (own == nullptr || product) continue;
    for (const NodeId input : node.inputs) {
      const Node*& before = changed[static_cast<std::size_t>(input)];
      if (before == nullptr && program.node(input).type.shape.elements() == elements) before = own;
    }
  }
  return changed;
}

// The largest weight that it reads, else the one that it changes; null if it has to do with none.
const Node* weight_of(const Program& program, const Kernel& kernel,
                      const std::vector<const Node*>& changed) {
  const Node* largest = nullptr;
  const Node* own = nullptr;
  for (const NodeId id : kernel.nodes) {
    for (const NodeId input : program.node(id).inputs) {
      const Node& read = source_of(program, input);
      if (!is_weight(read)) continue;
      const bool larger =
          largest == nullptr || read.type.shape.elements() > largest->type.shape.elements();
      if (larger) largest = &read;
    }
    if (own == nullptr) own = changed[static_cast<std::size_t>(id)];
  }
  return largest != nullptr ? largest : own;
}

}  // namespace

void name_parts(Program& program) {
  const std::vector<const Node*> changed = changed_weights(program);
  for (Kernel& kernel : program.kernels) {
    const Node* weight = kernel.collective ? nullptr : weight_of(program, kernel, changed);
    if (weight == nullptr) continue;
    kernel.part = weight->label.substr(0, weight->label.size() - weight_ending.size());
  }
}

}  // namespace tpulab
