#include "engine/compiler/groups.h"

#include <algorithm>

namespace tpulab {

namespace {

Group alone(const Program& program, NodeId id) {
  const Node& node = program.node(id);
  return {.nodes = {id},
          .elements = node.type.shape.elements(),
          .anchored = !node.traits.elementwise && !node.traits.reduces,
          .reduces = node.traits.reduces,
          .travels = node.traits.collective || node.traits.host_link};
}

}  // namespace

Groups::Groups(const Program& program)
    : program_(program), wiring_(program), group_of_(program.nodes.size(), -1) {
  groups_.reserve(program.nodes.size());
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    if (program.node(id).leaf() || !stored(program, id)) continue;
    group_of_[static_cast<std::size_t>(id)] = static_cast<int>(groups_.size());
    order_.push_back(static_cast<int>(groups_.size()));
    groups_.push_back(alone(program, id));
  }
  seen_.assign(groups_.size(), 0);
  mark();
}

// One group in so many has a bit. Groups are still in the order of their nodes.
void Groups::mark() {
  constexpr std::size_t bits = 64;
  const std::size_t apart = groups_.size() / bits + 1;
  marks_.resize(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Marks& own = marks_[i];
    if (i % apart == 0) own.inside = std::uint64_t{1} << (i / apart);
    for_each_before(static_cast<int>(i), [&](int maker) {
      const Marks& made = marks_[static_cast<std::size_t>(maker)];
      own.before |= made.before | made.inside;
    });
  }
  for (std::size_t i = groups_.size(); i-- > 0;) {
    Marks& own = marks_[i];
    for_each_after(static_cast<int>(i), [&](int reader) {
      const Marks& read = marks_[static_cast<std::size_t>(reader)];
      own.behind |= read.behind | read.inside;
    });
  }
}

// A marked group has to run behind the first and before the second: most searches would find one,
// between a forward kernel and a backward one that read the same array.
bool Groups::known_between(int first, int second) const {
  const Marks& one = marks_[static_cast<std::size_t>(first)];
  const Marks& other = marks_[static_cast<std::size_t>(second)];
  return (one.behind & other.before & ~one.inside & ~other.inside) != 0;
}

// Calls visit(group) for each group that reads a value of this one.
template <class Visit>
void Groups::for_each_after(int group, const Visit& visit) const {
  for (const NodeId id : at(group).nodes) {
    for (const NodeId reader : wiring_.readers(id)) {
      if (of(reader) >= 0 && of(reader) != group) visit(of(reader));
    }
  }
}

// Calls visit(group) for each group that this one reads.
template <class Visit>
void Groups::for_each_before(int group, const Visit& visit) const {
  for (const NodeId id : at(group).nodes) {
    for (const NodeId input : wiring_.inputs(id)) {
      if (of(input) >= 0 && of(input) != group) visit(of(input));
    }
  }
}

// All groups that `next` leads to from `from`, in run order, as far as they are `inside`.
template <class Next, class Inside>
void Groups::reach(int from, const Next& next, const Inside& inside, std::vector<int>& found) {
  ++search_;
  found.assign(1, from);
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
}

// One call may send the gradients of all layers, once all of them have run.
bool Groups::run_alike(int one, int other) const {
  const auto at_end = [&](int group) {
    const Region& of = region(group);
    return at(group).travels && (of.layer == 0 || of.pass == Region::Pass::update);
  };
  return region(one) == region(other) || (at_end(one) && at_end(other));
}

// Only groups between the two in run order can have to move: those that the second one needs go
// before both, those that need the first one behind both (Pearce and Kelly 2006).
bool Groups::merge(int kept, int other) {
  if (!run_alike(kept, other)) return false;
  const int first = earlier(kept, other) ? kept : other;
  const int second = first == kept ? other : kept;
  if (known_between(first, second)) return false;
  const auto between = [&](int group) {
    return order(group) > order(first) && order(group) < order(second);
  };
  reach(
      first, [&](int group, const auto& visit) { for_each_after(group, visit); }, between, behind_);
  bool between_them = false;
  for (const int group : behind_) {
    for_each_after(group, [&](int reader) { between_them = between_them || reader == second; });
  }
  if (between_them) return false;
  reach(
      second, [&](int group, const auto& visit) { for_each_before(group, visit); }, between,
      moved_);
  reorder(kept, other);
  join(kept, other);
  return true;
}

// What the second one needs, both, what needs the first one: in the places that they have.
void Groups::reorder(int kept, int other) {
  moved_.push_back(kept);
  moved_.insert(moved_.end(), behind_.begin(), behind_.end());
  moved_.push_back(other);  // its place is left over
  places_.clear();
  for (const int group : moved_) places_.push_back(order(group));
  std::ranges::sort(places_);
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    order_[static_cast<std::size_t>(moved_[i])] = places_[i];
  }
}

void Groups::join(int kept, int other) {
  Group& from = groups_[static_cast<std::size_t>(other)];
  Group& to = groups_[static_cast<std::size_t>(kept)];
  const auto own = static_cast<std::ptrdiff_t>(to.nodes.size());
  for (const NodeId id : from.nodes) {
    group_of_[static_cast<std::size_t>(id)] = kept;
    to.nodes.push_back(id);
  }
  const bool in_order = std::is_sorted(to.nodes.begin(), to.nodes.end());
  if (!in_order) std::inplace_merge(to.nodes.begin(), to.nodes.begin() + own, to.nodes.end());
  to.anchored |= from.anchored;
  to.reduces |= from.reduces;
  from.nodes = {};
  Marks& marks = marks_[static_cast<std::size_t>(kept)];
  const Marks& more = marks_[static_cast<std::size_t>(other)];
  marks.before |= more.before;
  marks.inside |= more.inside;
  marks.behind |= more.behind;
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
