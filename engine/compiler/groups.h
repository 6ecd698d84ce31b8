// Nodes gathered into kernels to be: merging two groups keeps them in an order in which each runs
// after all that it reads.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/compiler/program.h"
#include "engine/compiler/stored.h"

namespace tpulab {

// Nodes that will run as one kernel.
struct Group {
  NodeIds nodes;              // ascending
  std::int64_t elements = 0;  // of the loop that elementwise nodes may join
  bool anchored = false;      // holds a node that is no loop over elements: a product, a gather
  bool reduces = false;       // begins with a reduction
  bool travels = false;       // between devices, or to and from the host: no loop joins it
};

class Groups {
 public:
  // Each stored, computed node is a group of its own, in the order of the nodes.
  explicit Groups(const Program& program);

  const Program& program() const { return program_; }
  // -1 for what no kernel computes.
  int of(NodeId id) const { return group_of_[static_cast<std::size_t>(id)]; }
  const Group& at(int group) const { return groups_[static_cast<std::size_t>(group)]; }
  const Wiring& wiring() const { return wiring_; }
  bool earlier(int a, int b) const { return order(a) < order(b); }

  // Makes one group of two and answers true; false, and nothing happens, if another group has to
  // run between them or they do not run equally often. The first one's loop stays the one to join.
  bool merge(int kept, int other);

  // The groups with nodes, in run order.
  std::vector<Group> in_order() const;

 private:
  // Some nodes, a bit each: those that a group is made of or among, and those that are made of it.
  struct Marks {
    std::uint64_t before = 0;
    std::uint64_t inside = 0;
    std::uint64_t behind = 0;
  };

  void mark();
  bool known_between(int first, int second) const;
  const Region& region(int group) const { return program_.node(at(group).nodes.front()).region; }
  bool run_alike(int one, int other) const;
  int order(int group) const { return order_[static_cast<std::size_t>(group)]; }
  template <class Visit>
  void for_each_after(int group, const Visit& visit) const;
  template <class Visit>
  void for_each_before(int group, const Visit& visit) const;
  template <class Next, class Inside>
  void reach(int from, const Next& next, const Inside& inside, std::vector<int>& found);
  void reorder(int kept, int other);
  void join(int kept, int other);

  const Program& program_;
  Wiring wiring_;
  std::vector<int> group_of_;
  std::vector<Group> groups_;
  std::vector<Marks> marks_;  // per group
  std::vector<int> order_;
  std::vector<int> seen_;  // per group: the last search that came by
  int search_ = 0;
  std::vector<int> behind_;  // what merge() finds
  std::vector<int> moved_;
  std::vector<int> places_;
};

}  // namespace tpulab
