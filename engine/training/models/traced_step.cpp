#include "engine/training/models/traced_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"
#include "engine/training/gradient.h"
#include "engine/training/partition.h"

namespace tpulab {

Tracing tracing_of(const WorkOptions& options) {
  const double any_seed = options.random_operations > 0 ? 2 : 0;  // its numbers are not computed
  const bool by_parts = options.scanned && options.remat == Remat::none;
  return {.layers_once = true,
          .found_behind_layers = by_parts ? Region::Finds::slopes : Region::Finds::values,
          .fused_attention = options.fused_attention,
          .random = {any_seed, options.random_operations},
          .loss_pieces = options.loss_pieces};
}

Mesh traced_mesh(Mesh mesh) {
  constexpr int several = 2;  // replicas: how many, only collectives depend on
  mesh.data = std::min(mesh.data, several);
  mesh.slices = std::min(mesh.slices, several);
  return mesh;
}

int further_shards(const WorkOptions& options) {
  return std::max(1, options.update_shards / options.mesh.sharers());
}

TracedStep::TracedStep(const Model& model, const Example& row, const WorkOptions& options,
                       std::vector<Parameter> parameters)
    : row_(row),
      options_(options),
      mesh_(traced_mesh(options.mesh)),
      optimizer_{.kind = options.optimizer},
      parameters_(std::move(parameters)) {
  for (const Parameter& one : parameters_) {
    const Region before = graph_.enter(one.region);
    leaves_.push_back(leaf(one.shape, one.name));
    graph_.enter(before);
  }
  trace_loss(model);
  last_forward_ = graph_.size();
  trace_gradients();
  last_gradient_ = graph_.size();
  if (!updates_later()) trace_updates();
}

Bytes TracedStep::state() const {
  const std::int64_t shards = further_shards(options_);
  const Bytes all = weights() * state_count(optimizer_);
  return {(all.value + shards - 1) / shards};
}

Bytes TracedStep::held_sums() const {
  return options_.sums_batches && options_.mesh.pipeline <= 1 ? weights() : Bytes{};
}

std::shared_ptr<Program> TracedStep::compiled() const {
  const bool rows_in_vmem = options_.row_blocks == RowBlocks::in_vmem;
  // Where layers are a loop the compiler's count is nearer without [TPU: nine decoders].
  const Bytes on_chip = options_.scanned ? Bytes{} : options_.on_chip;
  Bytes left = options_.hbm;
  if (left.value > 0 && updates_later()) left = left - state() - held_sums();
  return compile(
      make_cut(graph_, outputs_, overwrites_, {}, mesh_.devices()),
      {.hbm = left,
       .again = {.narrow = !rows_in_vmem, .softmax = options_.softmax, .scanned = options_.scanned},
       .rows_in_vmem = rows_in_vmem,
       .keeping = {.remat = options_.remat, .tensor = mesh_.tensor},
       .scheduling = {.stacks = options_.scanned, .on_chip = on_chip}});
}
int TracedStep::traced_ops() const {
  const int sums = mesh_.replicas() * mesh_.context > 1 ? static_cast<int>(leaves_.size()) : 0;
  return sums + ops_between(0, graph_.size());
}

StepCalls TracedStep::calls() const {
  return {.forward = traced_calls(graph_, 0, last_forward_),
          .backward = traced_calls(graph_, last_forward_, last_gradient_),
          .update = traced_calls(graph_, last_gradient_, graph_.size())};
}

// Where all numbers of a device have one type, nobody asks for another; a mixed step does.
bool TracedStep::counts(const Node& node) const {
  const bool one_type = options_.storage == options_.compute;
  return !node.leaf() && !node.traits.collective && !(one_type && node.traits.casts);
}

int TracedStep::ops_between(NodeId first, NodeId end) const {
  int count = 0;
  for (NodeId id = first; id < end; ++id) {
    const Node& node = graph_.node(id);
    if (counts(node)) count += static_cast<int>(node.region.runs);
  }
  return count;
}

LoopedOps TracedStep::looped_ops() const {
  LoopedOps looped;
  for (NodeId id = 0; options_.scanned && id < graph_.size(); ++id) {
    const Node& node = graph_.node(id);
    if (node.region.runs == 1 || !counts(node)) continue;
    looped[node.region.runs] += static_cast<int>(node.region.runs);
  }
  return looped;
}

Tensor TracedStep::leaf(const Shape& shape, const std::string& name) {
  return graph_.leaf(++buffers_, {shape, options_.storage, Placement::shared}, name);
}
Tensor TracedStep::rows(const Shape& row, DType dtype, const char* name) {
  const Type type{row.of_rows(options_.batch), dtype, Placement::per_core};
  batch_ += {type.shape.elements() * bytes_of(dtype)};
  return graph_.leaf(++buffers_, type, name);
}

void TracedStep::trace_loss(const Model& model) {
  const DType dtype =
      is_integer(row_.dtype) ? row_.dtype : options_.sent.value_or(options_.compute);
  const Tensor inputs = rows(row_.row, dtype, "rows");
  Tensor labels = rows(row_.labels == 1 ? Shape{} : Shape{row_.labels}, DType::s32, "labels");
  labels = reshape(labels, Shape{labels.shape().elements()});
  Tracing tracing = tracing_of(options_);
  tracing.labels = labels;
  Scope scope(leaves_, options_.compute, options_.products, mesh_, tracing);
  const Tensor logits = logits_of(model, scope, inputs, row_, options_.storage);
  if (options_.loss_pieces > 1 && !scope.head()) {
    throw Error(
        fmt::format("the loss of {} is not made in pieces; leave loss_pieces 1", model.name(row_)));
  }
  loss_ = loss_of(model, scope, logits, labels, row_);
}

void TracedStep::trace_gradients() {
  gradients_ = gradient(loss_, leaves_, 1.0 / (mesh_.replicas() * mesh_.context));
  gradients_ = summed_gradients(std::move(gradients_), parameters_, mesh_,
                                options_.narrow_sums ? options_.compute : options_.storage);
  keep(loss_, -1);
  if (!updates_later()) return;
  for (const Tensor& one : gradients_) keep(one, -1);
}

// Where the update waits for other devices, or a loop's end, it is a pass of its own.
Region TracedStep::update_of(const Region& region) const {
  const bool waits = mesh_.devices() > 1 || (options_.scanned && region.runs > 1);
  return region.in(waits ? Region::Pass::update : Region::Pass::backward);
}

void TracedStep::trace_updates() {
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Region& region = parameters_[i].region;
    std::vector<Tensor> state;
    state.reserve(static_cast<std::size_t>(state_count(optimizer_)));
    const Region before = graph_.enter(region);
    for (int k = 0; k < state_count(optimizer_); ++k) {
      state.push_back(leaf(leaves_[i].shape(), "state"));
    }
    graph_.enter(update_of(region));
    const Updated next = update(optimizer_, 1, leaves_[i], gradients_[i], state);
    graph_.enter(before);
    keep(next.parameter, graph_.node(leaves_[i].id).buffer);
    for (std::size_t k = 0; k < state.size(); ++k) {
      keep(next.state[k], graph_.node(state[k].id).buffer);
    }
  }
}

void TracedStep::keep(Tensor value, BufferId overwrites) {
  outputs_.push_back(value.id);
  overwrites_.push_back(overwrites);
}

}  // namespace tpulab
