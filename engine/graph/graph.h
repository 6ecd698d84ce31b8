// The append-only graph of a traced step: index order is run order, so walking back is a backward
// loop.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/node_ids.h"
#include "engine/graph/op.h"

namespace tpulab {

// Names a value that lives in the runtime's buffer table; -1 is none.
using BufferId = std::int64_t;

// A layer that is traced once and runs several times, one after the other, and which pass of it a
// node belongs to. Values made in one pass and read in another one exist once for each run.
struct Region {
  enum class Pass : std::uint8_t { forward, backward, update };
  // Of the forward pass the backward pass finds the values that it reads; nothing, by any policy;
  // or slopes too, of each part of a function, as JAX's loops make them before they are needed.
  enum class Finds : std::uint8_t { values, nothing, slopes };
  int layer = 0;  // 0: of no such layer
  std::int64_t runs = 1;
  Pass pass = Pass::forward;
  Finds finds = Finds::values;

  bool operator==(const Region&) const = default;
  // The same layer in another pass; what is of no layer has none.
  Region in(Pass other) const { return layer == 0 ? *this : Region{layer, runs, other, finds}; }
};

// A leaf (no op) is device data: a buffer, or a scalar whose value is an input and no part of the
// program.
struct Node {
  std::shared_ptr<const Op> op;
  OpTraits traits{};  // of the op; none of a leaf
  NodeIds inputs;
  Type type;
  BufferId buffer = -1;
  std::optional<float> scalar;
  std::string label;  // for people: "images", "layer1.weight"; of an op "train.py:42"
  Region region{};

  bool leaf() const { return op == nullptr; }
};

class Graph {
 public:
  // Runs a host op: cut, download, CPU, upload; answers the fresh leaf that holds the result.
  using RunOnHost =
      std::function<Tensor(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs)>;

  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Appends a node; infers its type. A host op is handed to `run_on_host` instead. Throws Error.
  Tensor apply(std::shared_ptr<const Op> op, std::span<const Tensor> inputs);
  Tensor apply(std::shared_ptr<const Op> op, std::initializer_list<Tensor> inputs) {
    return apply(std::move(op), std::span(inputs.begin(), inputs.size()));
  }
  // A buffer as an input. One buffer may be several inputs: the nodes say so by its id, and the
  // fingerprint sees it.
  Tensor leaf(BufferId buffer, const Type& type, std::string label = {});
  // A scalar as device data: its value is no part of the program. Equal values are one input, as
  // they are one buffer on the device.
  Tensor scalar_leaf(float value, std::string label = {});

  const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  // Ops traced since the last reset, leaves not counted; those of a region once for each run.
  int traced_ops() const { return traced_ops_; }
  const Region& region() const { return region_; }
  // What the nodes to come belong to; answers what those before did.
  Region enter(const Region& region) { return std::exchange(region_, region); }
  // Begins another layer that runs several times; answers what was before.
  Region enter_layer(std::int64_t runs, Region::Finds finds = Region::Finds::values) {
    return enter({++layers_, runs, Region::Pass::forward, finds});
  }
  // What the ops to come are called, for people.
  void label_next(std::string label) { label_ = std::move(label); }
  // Forgets every node: done at a full cut. Tensors of before are dead.
  void reset();

  RunOnHost run_on_host;

 private:
  Tensor append(Node node);

  std::deque<Node> nodes_;
  std::map<std::uint32_t, NodeId> scalars_;  // by the bits of their value
  int traced_ops_ = 0;
  Region region_{};
  int layers_ = 0;
  std::string label_;
};

inline const Type& Tensor::type() const { return graph->node(id).type; }

}  // namespace tpulab
