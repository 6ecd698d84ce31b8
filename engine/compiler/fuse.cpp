// Groups nodes into kernels, as XLA does: elementwise nodes join the kernel that makes their newest
// input; products, reductions and data movement begin one; all-reduces that nobody waits for yet
// become one call.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/compiler/compile.h"

namespace tpulab {

namespace {

struct Group {
  std::vector<NodeId> nodes;
  Shape shape;       // of what elementwise nodes may join
  bool open = true;  // elementwise nodes may still join
  bool collective = false;
  bool read = false;  // somebody outside reads it already
  int order = 0;
};

class Fuser {
 public:
  explicit Fuser(const Program& program) : program_(program), group_of_(program.nodes.size(), -1) {}

  // Groups in run order.
  std::vector<Group> run() {
    for (NodeId id = 0; id < static_cast<NodeId>(program_.nodes.size()); ++id) {
      const Node& node = program_.node(id);
      if (node.leaf() || node.op->traits().constant) continue;
      const int home = home_of(node);
      mark_read(node, home);
      if (home < 0) {
        begin(id, node);
      } else {
        join(id, node, groups_[static_cast<std::size_t>(home)], home);
      }
    }
    std::ranges::stable_sort(groups_, {}, &Group::order);
    return groups_;
  }

 private:
  // The group made latest among those that the node reads; -1 if it reads inputs only.
  int newest_input_group(const Node& node) const {
    int newest = -1;
    for (const NodeId input : node.inputs) {
      const int group = group_of_[static_cast<std::size_t>(input)];
      if (group < 0) continue;
      if (newest < 0 || order(group) > order(newest)) newest = group;
    }
    return newest;
  }

  int home_of(const Node& node) const {
    if (node.op->traits().collective) return open_collective();
    const int newest = newest_input_group(node);
    if (newest < 0) return -1;
    const Group& group = groups_[static_cast<std::size_t>(newest)];
    if (group.collective || !group.open) return -1;
    const bool same_shape = node.type.shape == group.shape;
    if (node.op->traits().elementwise) return same_shape ? newest : -1;
    return reduces(node, group) ? newest : -1;
  }

  // A reduction ends the fusion that makes its input.
  bool reduces(const Node& node, const Group& group) const {
    return node.op->name() == "reduce" && program_.node(node.inputs[0]).type.shape == group.shape;
  }

  int open_collective() const {
    for (std::size_t i = groups_.size(); i-- > 0;) {
      if (groups_[i].collective) return groups_[i].read ? -1 : static_cast<int>(i);
    }
    return -1;
  }

  void mark_read(const Node& node, int home) {
    for (const NodeId input : node.inputs) {
      const int group = group_of_[static_cast<std::size_t>(input)];
      if (group >= 0 && group != home) groups_[static_cast<std::size_t>(group)].read = true;
    }
  }

  void begin(NodeId id, const Node& node) {
    Group group;
    group.nodes.push_back(id);
    group.shape = node.type.shape;
    group.collective = node.op->traits().collective;
    group.order = next_order_++;
    group_of_[static_cast<std::size_t>(id)] = static_cast<int>(groups_.size());
    groups_.push_back(std::move(group));
  }

  void join(NodeId id, const Node& node, Group& group, int index) {
    group.nodes.push_back(id);
    group_of_[static_cast<std::size_t>(id)] = index;
    // Unread so far, so it may move behind everything that it now waits for.
    if (group.collective) group.order = next_order_++;
    if (!group.collective && !node.op->traits().elementwise) group.open = false;
  }

  int order(int group) const { return groups_[static_cast<std::size_t>(group)].order; }

  const Program& program_;
  std::vector<int> group_of_;
  std::vector<Group> groups_;
  int next_order_ = 0;
};

std::string name_of_kernel(const Program& program, const Group& group) {
  if (group.collective && group.nodes.size() > 1) {
    return fmt::format("{} x {}", program.node(group.nodes[0]).op->name(), group.nodes.size());
  }
  std::string name(program.node(group.nodes[0]).op->name());
  constexpr std::size_t shown = 4;
  for (std::size_t i = 1; i < std::min(group.nodes.size(), shown); ++i) {
    name += fmt::format("+{}", program.node(group.nodes[i]).op->name());
  }
  if (group.nodes.size() > shown) name += fmt::format("+{} more", group.nodes.size() - shown);
  return name;
}

// All calls of one group travel together.
Work joined_collective(const std::vector<Work>& items) {
  CollectiveWork all{.kind = CollectiveKind::all_reduce, .bytes = {}};
  for (const Work& item : items) {
    if (const auto* one = std::get_if<CollectiveWork>(&item)) {
      all.kind = one->kind;
      all.bytes += one->bytes;
    }
  }
  return all;
}

Kernel kernel_of(const Program& program, const Group& group,
                 const std::vector<char>& leaves_group) {
  Kernel kernel;
  kernel.name = name_of_kernel(program, group);
  kernel.nodes = group.nodes;
  kernel.collective = group.collective;
  const std::set<NodeId> inside(group.nodes.begin(), group.nodes.end());
  std::set<NodeId> read;
  for (const NodeId id : group.nodes) {
    const Node& node = program.node(id);
    std::vector<Type> types;
    for (const NodeId input : node.inputs) {
      types.push_back(program.node(input).type);
      if (!inside.contains(input) && read.insert(input).second) {
        kernel.work.reads.push_back(program.node(input).type.operand());
      }
    }
    kernel.work.items.push_back(node.op->work(types, node.type));
    if (leaves_group[static_cast<std::size_t>(id)]) {
      kernel.work.writes.push_back(node.type.operand());
    }
  }
  if (kernel.collective) kernel.work.items = {joined_collective(kernel.work.items)};
  return kernel;
}

// Nodes whose value must reach HBM: read by another group, or an output.
std::vector<char> leaving(const Program& program, const std::vector<Group>& groups) {
  std::vector<int> group_of(program.nodes.size(), -1);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const NodeId id : groups[i].nodes)
      group_of[static_cast<std::size_t>(id)] = static_cast<int>(i);
  }
  std::vector<char> leaves(program.nodes.size(), 0);
  for (const NodeId output : program.outputs) leaves[static_cast<std::size_t>(output)] = 1;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    for (const NodeId input : program.nodes[id].inputs) {
      const auto at = static_cast<std::size_t>(input);
      if (group_of[at] != group_of[id]) leaves[at] = 1;
    }
  }
  return leaves;
}

}  // namespace

void fuse(Program& program) {
  const std::vector<Group> groups = Fuser(program).run();
  const std::vector<char> leaves = leaving(program, groups);
  program.kernels.clear();
  for (const Group& group : groups) program.kernels.push_back(kernel_of(program, group, leaves));
}

}  // namespace tpulab
