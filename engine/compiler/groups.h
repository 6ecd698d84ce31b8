// Nodes gathered into kernels to be: merging two groups keeps them in an order in which each runs
// after all that it reads.
#pragma once

#include <vector>

#include "engine/compiler/program.h"

namespace tpulab {

// Nodes that will run as one kernel.
struct Group {
  std::vector<NodeId> nodes;
  std::int64_t elements = 0;  // of the loop that elementwise nodes may join
  bool anchored = false;      // holds a node that is no loop over elements: a product, a gather
  bool reduces = false;       // begins with a reduction
  bool collective = false;
};

class Groups {
 public:
  // Each stored, computed node is a group of its own, in the order of the nodes.
  explicit Groups(const Program& program);

  const Program& program() const { return program_; }
  // -1 for what no kernel computes.
  int of(NodeId id) const { return group_of_[static_cast<std::size_t>(id)]; }
  const Group& at(int group) const { return groups_[static_cast<std::size_t>(group)]; }
  // The stored nodes that a node reads, and the computed ones that read it.
  const std::vector<NodeId>& inputs(NodeId id) const {
    return inputs_[static_cast<std::size_t>(id)];
  }
  const std::vector<NodeId>& readers(NodeId id) const {
    return readers_[static_cast<std::size_t>(id)];
  }
  bool earlier(int a, int b) const { return order(a) < order(b); }

  // Makes one group of two and answers true; false, and nothing happens, if another group has to
  // run between them or they do not run equally often. The first one's loop stays the one to join.
  bool merge(int kept, int other);

  // The groups with nodes, in run order.
  std::vector<Group> in_order() const;

 private:
  const Region& region(int group) const { return program_.node(at(group).nodes.front()).region; }
  bool run_alike(int one, int other) const;
  int order(int group) const { return order_[static_cast<std::size_t>(group)]; }
  template <class Visit>
  void for_each_after(int group, const Visit& visit) const;
  template <class Visit>
  void for_each_before(int group, const Visit& visit) const;
  template <class Next, class Inside>
  std::vector<int> reached(int from, const Next& next, const Inside& inside);

  const Program& program_;
  std::vector<int> group_of_;
  std::vector<std::vector<NodeId>> inputs_;
  std::vector<std::vector<NodeId>> readers_;
  std::vector<Group> groups_;
  std::vector<int> order_;
  std::vector<int> seen_;  // per group: the last search that came by
  int search_ = 0;
};

}  // namespace tpulab
