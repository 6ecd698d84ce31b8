// Groups nodes into kernels, as XLA does. Elementwise nodes join every loop, and at most one
// product, whose results they read: a kernel may have many outputs. Reductions ride on the kernel
// that makes their input. All-reduces that do not wait for each other become one call.
#include "engine/compiler/fuse.h"

#include <algorithm>

#include "engine/compiler/compile.h"
#include "engine/compiler/groups.h"
#include "engine/compiler/known_groups.h"

namespace tpulab {

namespace {

class Fuser {
 public:
  Fuser(const Program& program, bool rows_in_vmem)
      : groups_(program), rows_in_vmem_(rows_in_vmem), rides_(program.nodes.size(), 0) {}

  std::vector<Group> run() {
    const auto count = static_cast<NodeId>(groups_.program().nodes.size());
    for (NodeId id = 0; id < count; ++id) {
      if (groups_.of(id) >= 0 && traits(id).collective) join_collectives(id);
    }
    for (NodeId id = 0; id < count; ++id) {
      if (groups_.of(id) < 0) continue;
      if (traits(id).elementwise) join_inputs(id);
      if (traits(id).reduces) ride(id);
    }
    for (NodeId id = 0; id < count; ++id) join_siblings(id);
    return groups_.in_order();
  }

 private:
  const OpTraits& traits(NodeId id) const { return groups_.program().node(id).traits; }
  std::int64_t elements(NodeId id) const {
    return groups_.program().node(id).type.shape.elements();
  }

  // All-reduces into the first call among the same devices that they need not wait for and that has
  // room. Weights are gathered one by one, and their gradients scattered: as they are needed, not
  // all at once.
  void join_collectives(NodeId id) {
    Call own{id, collective_of(groups_.program(), id)};
    own.bytes = own.work.bytes * groups_.program().node(id).region.runs;
    for (Call& call : calls_) {
      if (!travel_together(call, own)) continue;
      if (!groups_.merge(groups_.of(id), groups_.of(call.node))) continue;
      call.bytes += own.bytes;
      return;
    }
    calls_.push_back(own);
  }

  struct Call {
    NodeId node = -1;
    CollectiveWork work;
    Bytes bytes{};
  };
  // Of one call [libtpu 0.0.42.1 for v4, v5e, v6e: of 140 sums of 1 MiB, 120].
  static constexpr Bytes most_together{std::int64_t{120} << 20};

  bool travel_together(const Call& a, const Call& b) const {
    const auto& program = groups_.program();
    return a.work.kind == CollectiveKind::all_reduce && a.work.kind == b.work.kind &&
           a.work.among == b.work.among && a.bytes + b.bytes <= most_together &&
           program.node(a.node).op->name() == program.node(b.node).op->name();
  }

  // The groups of the node's inputs, newest first.
  std::vector<int> input_groups(NodeId id) const {
    std::vector<int> found;
    for (const NodeId input : groups_.wiring().inputs(id)) {
      const int group = groups_.of(input);
      if (group >= 0 && std::ranges::find(found, group) == found.end()) found.push_back(group);
    }
    std::ranges::sort(found, [&](int a, int b) { return groups_.earlier(b, a); });
    return found;
  }

  void join_inputs(NodeId id) {
    for (const int maker : input_groups(id)) {
      const int own = groups_.of(id);
      if (maker != own && joins(own, maker)) groups_.merge(maker, own);
    }
  }

  bool joins(int own, int maker) const {
    const Group& from = groups_.at(maker);
    const Group& to = groups_.at(own);
    const bool both_begin = (from.anchored || from.reduces) && (to.anchored || to.reduces);
    return !from.travels && !to.travels && from.elements == to.elements && !both_begin &&
           !waits_for_sum(own, maker) && !works_on(own, maker);
  }

  // A product reads its operands from memory: the loop that makes them has to be over.
  bool works_on(int own, int maker) const {
    return std::ranges::any_of(groups_.at(own).nodes, [&](NodeId id) {
      return !traits(id).elementwise &&
             std::ranges::any_of(groups_.wiring().inputs(id),
                                 [&](NodeId input) { return groups_.of(input) == maker; });
    });
  }

  // A sum that rides on a kernel is known at its end only; one over rows as soon as a loop that
  // holds whole rows has gone over the row.
  bool waits_for_sum(int own, int maker) const {
    const bool holds_rows =
        rows_in_vmem_ && !groups_.at(maker).anchored && !groups_.at(own).anchored;
    return std::ranges::any_of(groups_.at(own).nodes, [&](NodeId id) {
      return std::ranges::any_of(groups_.wiring().inputs(id), [&](NodeId input) {
        return groups_.of(input) == maker && rides_[static_cast<std::size_t>(input)] &&
               !(holds_rows && folds_rows(groups_.program(), input));
      });
    });
  }

  // A reduction joins the kernel that makes what it folds.
  void ride(NodeId id) {
    const std::int64_t folded = elements(groups_.program().node(id).inputs[0]);
    for (const int maker : input_groups(id)) {
      const Group& group = groups_.at(maker);
      const bool fits = !group.travels && group.elements == folded;
      if (!fits || waits_for_sum(groups_.of(id), maker)) continue;
      if (!groups_.merge(maker, groups_.of(id))) continue;
      rides_[static_cast<std::size_t>(id)] = 1;
      return;
    }
  }

  // Loops and reductions over the same array read it once.
  void join_siblings(NodeId id) {
    if (elements(id) <= 1) return;
    int first = -1;
    for (const NodeId reader : groups_.wiring().readers(id)) {
      const int group = groups_.of(reader);
      if (group < 0 || group == first || !loops_over(reader, id)) continue;
      if (first < 0) {
        first = group;
      } else if (groups_.at(first).elements == groups_.at(group).elements &&
                 !waits_for_sum(group, first) && !waits_for_sum(first, group)) {
        groups_.merge(first, group);
      }
    }
  }

  // The reader's kernel is one loop over all elements of `id`.
  bool loops_over(NodeId reader, NodeId id) const {
    const Group& group = groups_.at(groups_.of(reader));
    if (group.anchored || group.travels) return false;
    const bool folds = traits(reader).reduces && group.nodes.front() == reader;
    return folds ? elements(groups_.program().node(reader).inputs[0]) == elements(id)
                 : !group.reduces && group.elements == elements(id);
  }

  Groups groups_;
  bool rows_in_vmem_;
  std::vector<Call> calls_;  // one of those that travel together
  std::vector<char> rides_;  // per node: a reduction that rides on another kernel
};

std::shared_ptr<const KernelNodes> grouped(const Program& program, bool rows_in_vmem) {
  const FingerprintKey key = fusion_key(program, rows_in_vmem);
  if (auto known = known_groups(key)) return known;
  KernelNodes nodes;
  for (const Group& group : Fuser(program, rows_in_vmem).run()) {
    nodes.emplace_back(group.nodes.begin(), group.nodes.end());
  }
  auto groups = std::make_shared<const KernelNodes>(std::move(nodes));
  remember_groups(key, groups);
  return groups;
}

}  // namespace

CollectiveWork collective_of(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  const Type operand = program.node(node.inputs[0]).type;
  return std::get<CollectiveWork>(node.op->work({&operand, 1}, node.type));
}

bool folds_rows(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  const Shape& whole = program.node(node.inputs[0]).type.shape;
  const Shape& rest = node.type.shape;
  return whole.rank() > 0 && rest.rank() == whole.rank() - 1 &&
         rest.elements() * whole.at(-1) == whole.elements() &&
         (rest.rank() == 0 || rest[0] == whole[0]);
}

void fuse(Program& program, bool rows_in_vmem) {
  program.kernels.clear();
  const auto groups = grouped(program, rows_in_vmem);  // others may forget it meanwhile
  for (const std::vector<NodeId>& nodes : *groups) {
    const Node& first = program.node(nodes.front());
    const bool collective =
        std::ranges::any_of(nodes, [&](NodeId id) { return program.node(id).traits.collective; });
    const bool once = collective && first.region.pass == Region::Pass::update;
    program.kernels.push_back({.name = {},
                               .nodes = nodes,
                               .work = {},
                               .collective = collective,
                               .runs = once ? 1 : first.region.runs});
  }
}

}  // namespace tpulab
