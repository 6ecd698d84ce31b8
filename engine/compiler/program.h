// Program: what the compiler makes of a graph. Immutable after compile; knows no machine, so that
// it can be priced for any.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/compiler/fingerprint.h"
#include "engine/graph/graph.h"

namespace tpulab {

// Nodes that run as one kernel on a device: what lies between them never touches HBM.
struct Kernel {
  std::string name;           // "dot+add+maximum", "all-reduce x 7"
  std::vector<NodeId> nodes;  // in run order
  SharedKernelWork work;      // per core
  int launches = 1;           // kernels that XLA makes of it, one after the other
  bool collective = false;
  std::int64_t runs = 1;   // identical ones, one after the other
  std::int64_t empty = 0;  // of those, on no rows: a pipeline's bubble
  std::string part{};      // of the network, whose weights it reads or changes: "layer1"
  int begun = -1;          // so many kernels before, as a text schedules it; -1: in its place

  std::string full_name() const { return part.empty() ? name : part + ": " + name; }
};

struct Program {
  Fingerprint fingerprint;
  std::vector<Node> nodes;     // dead ones removed; index order is run order
  std::vector<NodeId> inputs;  // leaves, in order
  std::vector<NodeId> outputs;
  std::vector<int> donated;     // per output: index of the input whose buffer it takes over, or -1
  int traced = 0;               // nodes before passes added any
  double compiled = 1;          // share of them that a compile's time counts, of loops a few turns
  bool squeezed = false;        // compiled once more, to need less HBM than a device has
  std::vector<char> images;     // per node: a batch of images [b,h,w,c]
  std::vector<Shape> laid_out;  // per node: its extents in the order in which they lie in memory
  std::vector<char> folded;     // per node: made inside each kernel that reads it, never in HBM
  std::vector<Kernel> kernels;  // in run order
  std::vector<int> alike;       // per kernel: the first of the same work; empty: nobody looked
  std::vector<int>
      last_use;  // per node: index of the last kernel that reads it; outputs: kernel count
  std::vector<Stack> stacks;  // per node: how the merged execution holds it
  bool alone = false;         // kernels as they are measured by themselves
  bool merges = false;        // identical replicas may run as one product
  int world = 1;
  Bytes input_bytes;  // per device, padded to tiles
  Bytes peak_bytes;   // per device: inputs, live temporaries, outputs that take over no input
  Bytes offloaded;    // per device: what waits in the host's memory, sent and taken back
  std::int64_t made_again = 0;  // ops of forward passes that the backward pass runs, by policy

  // What a compile's time grows with.
  int compiled_nodes() const { return static_cast<int>(std::lround(traced * compiled)); }
  // Kernels that a device launches.
  std::int64_t launches() const {
    std::int64_t count = 0;
    for (const Kernel& kernel : kernels) count += kernel.launches * kernel.runs;
    return count;
  }
  const Node& node(NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
};

}  // namespace tpulab
