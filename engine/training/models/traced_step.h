// One training step of a network, traced for one device of a mesh.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/compiler/program.h"
#include "engine/training/workload.h"

namespace tpulab {

// Steps that differ in the number of replicas alone are traced once: for this mesh.
Mesh traced_mesh(Mesh mesh);
// Replicas that share what is left of the update: each device has its part of sharded weights.
int further_shards(const WorkOptions& options);

Tracing tracing_of(const WorkOptions& options);

// A step as the trainer traces it, once the optimizer has its state.
class TracedStep {
 public:
  // `parameters` are the model's on such rows, as parameters_of() with tracing_of() has them.
  TracedStep(const Model& model, const Example& row, const WorkOptions& options,
             std::vector<Parameter> parameters);

  std::shared_ptr<Program> compiled() const;
  const Graph& graph() const { return graph_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  Bytes batch() const { return batch_; }
  Bytes weights() const { return {parameter_count(parameters_) * bytes_of(options_.storage)}; }
  // Devices that share the update keep the state of their share alone: with it Adam takes about as
  // much memory as plain descent [arXiv 2004.13336].
  Bytes state() const;
  // Sums of gradients of the batches before, which lie beside all that a pass makes: a loop over
  // batches (lax.scan) takes 852 to 864 MiB more than one batch, for 576 MiB of weights, whatever
  // its rows [TPU compiler, v4: 2 to 48 rows]. Those of a pipeline are among what it makes.
  Bytes held_sums() const;
  // What the program traces: a partitioner inserts collectives as it compiles, but for the call
  // that sums a gradient over replicas.
  int traced_ops() const;
  int forward_ops() const { return ops_between(0, last_forward_); }
  int update_ops() const { return ops_between(last_gradient_, graph_.size()); }
  LoopedOps looped_ops() const;
  StepCalls calls() const;
  // The update waits for what is outside of the program: for devices that share it, or for other
  // microbatches of a pipeline. Gradients come out in its place.
  bool updates_later() const {
    return further_shards(options_) > 1 || options_.mesh.pipeline > 1 || options_.sums_batches;
  }

 private:
  bool counts(const Node& node) const;
  int ops_between(NodeId first, NodeId end) const;
  Tensor leaf(const Shape& shape, const std::string& name);
  Tensor rows(const Shape& row, DType dtype, const char* name);
  void trace_loss(const Model& model);
  void trace_gradients();
  Region update_of(const Region& region) const;
  void trace_updates();
  void keep(Tensor value, BufferId overwrites);

  Example row_;
  WorkOptions options_;
  Mesh mesh_;
  OptimizerOptions optimizer_;
  std::vector<Parameter> parameters_;
  Graph graph_;
  BufferId buffers_ = 0;
  NodeId last_forward_ = 0;
  NodeId last_gradient_ = 0;
  std::vector<Tensor> leaves_;
  std::vector<Tensor> gradients_;
  Tensor loss_;
  std::vector<NodeId> outputs_;
  std::vector<BufferId> overwrites_;
  Bytes batch_;
};

}  // namespace tpulab
