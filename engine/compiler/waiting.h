// Values of layers that run repeatedly: how many of a node exist at once, and where those lie that
// wait for another pass.
#pragma once

#include <compare>
#include <set>
#include <utility>
#include <vector>

#include "engine/compiler/compile.h"

namespace tpulab {

// One for each run of the layer if the node is a parameter, leaves the program, or is read by
// another pass; else one.
class WaitingValues {
 public:
  WaitingValues(const Program& program, const Keeping& keeping);

  std::int64_t copies(NodeId id) const { return at(id).copies; }
  bool waits(NodeId id) const { return at(id).waits; }  // for another pass of its layer
  // What a device keeps of a copy of so many bytes.
  Bytes part(NodeId id, Bytes one) const { return Bytes{one.value / at(id).parts}; }
  // HBM of all copies but the one at work.
  Bytes further(NodeId id, Bytes one) const;
  // HBM of all copies of a loop, which sends one to the host, or takes one, in each run.
  Bytes stack(NodeId id, Bytes one) const;
  // What all copies take of the host's memory.
  Bytes on_host(NodeId id, Bytes one) const;

 private:
  struct Kept {
    std::int64_t copies = 1;
    int parts = 1;  // devices that each keep one of what all of them know
    bool on_host = false;
    bool waits = false;
  };

  const Kept& at(NodeId id) const { return kept_[static_cast<std::size_t>(id)]; }
  void raise(NodeId id, std::int64_t copies);
  // What lies behind a reader of a folded node: another pass, the beginning of a layer.
  struct Way {
    bool crosses = false;
    bool enters = false;

    auto operator<=>(const Way&) const = default;
  };
  using Opened = std::set<std::pair<NodeId, Way>>;
  void read_all(const Node& node, const Region& reader, Way way, Opened& opened);
  void keep_for_gradients(NodeId id, bool enters_layer);

  const Program& program_;
  Keeping keeping_;
  std::vector<Kept> kept_;
};

}  // namespace tpulab
