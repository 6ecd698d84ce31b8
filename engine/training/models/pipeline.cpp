#include "engine/training/models/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "engine/base/error.h"
#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"
#include "engine/compiler/waiting.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

// What one layer hands the next of a microbatch.
Type handed_on(const TracedStep& step) {
  const Graph& graph = step.graph();
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    if (!node.leaf() && node.op->traits().carries) return node.type;
  }
  throw Error("no layer hands on what a pipeline could send");
}

// In each turn a stage sends what it has made to the next one, and the other way a microbatch that
// is yet to begin or has ended: each stage embeds a share of the rows and makes their logits
// [MaxText, layers/pipeline.py: shift and state_io].
std::vector<NamedKernel> sent_on(const Type& rows, const Mesh& mesh) {
  const Bytes bytes{rows.shape.elements() * bytes_of(rows.dtype)};
  const NamedKernel one{
      "collective-permute",
      KernelWork{.items = {CollectiveWork{CollectiveKind::permute, bytes,
                                          devices_along(MeshAxis::pipeline, mesh)}},
                 .reads = {},
                 .writes = {}}};
  return {one, one};
}

struct Held {
  std::int64_t of_layer = 0;  // numbers that a device has of one layer's weights
  std::int64_t outside = 0;   // and of those of no layer
};

Held held_by(const TracedStep& step) {
  Held held;
  for (const Parameter& one : step.parameters()) {
    (one.region.layer != 0 ? held.of_layer : held.outside) += one.shape.elements();
  }
  return held;
}

// Gradients of a microbatch are added to those before it.
NamedKernel sums(std::int64_t numbers, DType dtype) {
  const Shape all{numbers};
  return {"sums of gradients", KernelWork{.items = {VectorWork{.shape = all, .cheap = 1}},
                                          .reads = {{all, dtype}, {all, dtype}},
                                          .writes = {{all, dtype}}}};
}

// All stages have a part of the gradients of what lies outside of layers.
NamedKernel summed(std::int64_t numbers, const WorkOptions& options) {
  const Bytes bytes{numbers * bytes_of(options.storage)};
  return {"all-reduce",
          KernelWork{.items = {CollectiveWork{
                         CollectiveKind::all_reduce, bytes,
                         devices_along(MeshAxis::pipeline, traced_mesh(options.mesh))}},
                     .reads = {},
                     .writes = {}}};
}

// Replicas sum gradients behind the last microbatch, as wide as these are added up: such an
// all-reduce leaves a loop, the reduce-scatter among sharers does not [TPU compiler: a scan over
// microbatches]. Between slices sharers would send what products make.
void sum_once(Block& block, const Mesh& mesh, const WorkOptions& options) {
  std::vector<NamedKernel>& all = block.backward;
  const auto sums = std::stable_partition(all.begin(), all.end(), [&](const NamedKernel& kernel) {
    const CollectiveWork* const sent = collective_of(kernel.work);
    return sent == nullptr || sent->kind != CollectiveKind::all_reduce ||
           sent->among.apart < mesh.tensor;
  });
  const std::int64_t wider =
      mesh.sharers() > 1 ? std::max(bytes_of(options.storage) / bytes_of(options.compute), 1) : 1;
  for (auto kernel = sums; kernel != all.end(); ++kernel) {
    KernelWork work = kernel->work;
    auto& sent = std::get<CollectiveWork>(work.items.front());
    if (sent.among.apart >= mesh.inside()) sent.bytes = sent.bytes * wider;
    kernel->work = std::move(work);
    block.update.push_back(std::move(*kernel));
  }
  all.erase(sums, all.end());
}

// What all layers of a stage keep of a microbatch for its backward pass.
struct Waiting {
  Bytes here{};
  Bytes on_host{};
};

Waiting waiting_of(const Program& program, const WorkOptions& options) {
  const WaitingValues values(program,
                             {.remat = options.remat, .tensor = traced_mesh(options.mesh).tensor});
  Waiting waiting;
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    const Node& node = program.node(id);
    const bool forward = node.region.pass == Region::Pass::forward;
    if (node.leaf() || !stored(program, id) || !forward || !values.waits(id)) continue;
    const Bytes one = padded_bytes(program.laid_out[static_cast<std::size_t>(id)], node.type.dtype);
    waiting.here += one + values.further(id, one);
    waiting.on_host += values.on_host(id, one);
  }
  return waiting;
}

}  // namespace

StepWork stage_of(StepWork stage, const TracedStep& step, const WorkOptions& options) {
  const std::int64_t stages = options.mesh.pipeline;
  const std::int64_t microbatches = options.mesh.microbatches;
  if (stage.blocks.size() != 3) {
    throw DoesNotDivide(
        fmt::format("a pipeline divides one stack of equal layers, and there are {}",
                    stage.blocks.size() / 2),
        "leave pipeline out of the mesh");
  }
  const std::int64_t turns = microbatches + stages - 1;
  const Held held = held_by(step);
  Block& layers = stage.blocks[1];
  for (Block* outside : {&stage.blocks.front(), &stage.blocks.back()}) {
    outside->turns = outside->useful = microbatches / stages;
  }
  layers.turns = turns;
  layers.useful = microbatches;
  for (Block& block : stage.blocks) sum_once(block, traced_mesh(options.mesh), options);
  const Waiting waiting = waiting_of(*step.compiled(), options);
  // The scan over turns keeps as much of those without rows [MaxText, layers/pipeline.py].
  stage.working += waiting.here * (turns - 1);
  for (LargeArray& array : layers.large) {
    array.copies.count *= array.copies.waits ? turns : 1;
  }
  stage.offloaded = waiting.on_host * turns;
  stage.made_again *= turns;
  layers.backward.push_back(sums(held.of_layer, options.storage));
  stage.blocks.back().backward.push_back(sums(held.outside, options.storage));
  stage.blocks.back().update.push_back(summed(held.outside, options));
  Block between{.name = "between stages", .turns = turns, .useful = microbatches};
  between.forward = sent_on(handed_on(step), traced_mesh(options.mesh));
  between.backward = between.forward;
  stage.blocks.insert(stage.blocks.begin() + 2, std::move(between));
  stage.batch = stage.batch * (microbatches / stages);
  return stage;
}

}  // namespace tpulab
