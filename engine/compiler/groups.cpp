#include "engine/compiler/groups.h"

#include <algorithm>

#include "engine/compiler/stored.h"

namespace tpulab {

namespace {

Group alone(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  const OpTraits traits = node.op->traits();
  return {.nodes = {id},
          .elements = node.type.shape.elements(),
          .anchored = !traits.elementwise && !traits.reduces,
          .reduces = traits.reduces,
          .collective = traits.collective};
}

}  // namespace

Groups::Groups(const Program& program)
    : program_(program),
      group_of_(program.nodes.size(), -1),
      inputs_(program.nodes.size()),
      readers_(program.nodes.size()) {
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    if (program.node(id).leaf() || !stored(program, id)) continue;
    const auto at = static_cast<std::size_t>(id);
    inputs_[at] = stored_inputs(program, program.node(id));
    for (const NodeId input : inputs_[at]) readers_[static_cast<std::size_t>(input)].push_back(id);
    group_of_[at] = static_cast<int>(groups_.size());
    order_.push_back(static_cast<int>(groups_.size()));
    groups_.push_back(alone(program, id));
  }
  seen_.assign(groups_.size(), 0);
}

// Calls visit(group) for each group that reads a value of this one.
template <class Visit>
void Groups::for_each_after(int group, const Visit& visit) const {
  for (const NodeId id : at(group).nodes) {
    for (const NodeId reader : readers(id)) {
      if (of(reader) != group) visit(of(reader));
    }
  }
}

// Calls visit(group) for each group that this one reads.
template <class Visit>
void Groups::for_each_before(int group, const Visit& visit) const {
  for (const NodeId id : at(group).nodes) {
    for (const NodeId input : inputs(id)) {
      if (of(input) >= 0 && of(input) != group) visit(of(input));
    }
  }
}

// All groups that `next` leads to from `from`, in run order, as far as they are `inside`.
template <class Next, class Inside>
std::vector<int> Groups::reached(int from, const Next& next, const Inside& inside) {
  ++search_;
  std::vector<int> found{from};
  for (std::size_t i = 0; i < found.size(); ++i) {
    next(found[i], [&](int other) {
      int& seen = seen_[static_cast<std::size_t>(other)];
      if (seen == search_ || !inside(other)) return;
      seen = search_;
      found.push_back(other);
    });
  }
  found.erase(found.begin());
  std::ranges::sort(found, {}, [&](int group) { return order(group); });
  return found;
}

// One call may send the gradients of all layers, once all of them have run.
bool Groups::run_alike(int one, int other) const {
  const auto at_end = [&](int group) {
    const Region& of = region(group);
    return at(group).collective && (of.layer == 0 || of.pass == Region::Pass::update);
  };
  return region(one) == region(other) || (at_end(one) && at_end(other));
}

// Only groups between the two in run order can have to move: those that the second one needs go
// before both, those that need the first one behind both (Pearce and Kelly 2006).
bool Groups::merge(int kept, int other) {
  if (!run_alike(kept, other)) return false;
  const int first = earlier(kept, other) ? kept : other;
  const int second = first == kept ? other : kept;
  const auto between = [&](int group) {
    return order(group) > order(first) && order(group) < order(second);
  };
  const std::vector<int> behind = reached(
      first, [&](int group, const auto& visit) { for_each_after(group, visit); }, between);
  bool between_them = false;
  for (const int group : behind) {
    for_each_after(group, [&](int reader) { between_them = between_them || reader == second; });
  }
  if (between_them) return false;
  std::vector<int> moved = reached(
      second, [&](int group, const auto& visit) { for_each_before(group, visit); }, between);
  moved.push_back(kept);
  moved.insert(moved.end(), behind.begin(), behind.end());
  moved.push_back(other);  // its place is left over
  std::vector<int> places;
  places.reserve(moved.size());
  for (const int group : moved) places.push_back(order(group));
  std::ranges::sort(places);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    order_[static_cast<std::size_t>(moved[i])] = places[i];
  }
  Group& from = groups_[static_cast<std::size_t>(other)];
  Group& to = groups_[static_cast<std::size_t>(kept)];
  for (const NodeId id : from.nodes) group_of_[static_cast<std::size_t>(id)] = kept;
  to.nodes.insert(to.nodes.end(), from.nodes.begin(), from.nodes.end());
  std::ranges::sort(to.nodes);
  to.anchored |= from.anchored;
  to.reduces |= from.reduces;
  from.nodes.clear();
  return true;
}

std::vector<Group> Groups::in_order() const {
  std::vector<int> places(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    places[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
  }
  std::vector<Group> found;
  for (const int group : places) {
    if (!at(group).nodes.empty()) found.push_back(at(group));
  }
  return found;
}

}  // namespace tpulab
