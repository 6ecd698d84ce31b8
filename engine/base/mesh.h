// How devices share the work of a training step: the words of tracing, pricing and people for it.
#pragma once

#include "engine/base/work.h"

namespace tpulab {

// Their numbers multiply to the devices of the slice. 0 leaves a choice open.
struct Mesh {
  int slices = 0;  // joined slices; replicas across them
  int data = 0;    // replicas inside a slice
  int fsdp = 0;    // devices that share weights, gradients and optimizer state (fully sharded)
  int tensor = 0;  // devices that share each layer's heads and hidden width
  // Nobody divides these unasked. Their devices share all other weights as fully sharded ones do
  // [MaxText, configs/base.yml: logical_axis_rules of "embed"].
  int expert = 1;   // devices that share the experts, each with rows of its own
  int context = 1;  // devices that share the tokens of each row
  // Stages that each have some of the layers, and the parts of a batch that pass through them one
  // behind the other [GPipe, arXiv 1811.06965].
  int pipeline = 1;
  int microbatches = 1;

  bool operator==(const Mesh&) const = default;
  int of_stage() const { return data * sharers() * tensor; }  // devices of a slice, of one stage
  int inside() const { return of_stage() * pipeline; }        // devices of a slice
  int sharers() const { return fsdp * context * expert; }     // of a weight
  int devices() const { return slices * inside(); }
  // Parts that the rows of a batch are divided into.
  int replicas() const { return slices * data * fsdp * expert; }
};
inline constexpr Mesh one_device{.slices = 1, .data = 1, .fsdp = 1, .tensor = 1};

// The devices that exchange values along an axis. Tensor groups lie innermost, then those of
// experts, of contexts, fully sharded ones, replicas inside a slice, stages, slices. `sharers`: all
// that share a weight; `replicas`: they and data together; `beside_experts`: sharers of one expert.
enum class MeshAxis : std::uint8_t {
  tensor,
  expert,
  context,
  beside_experts,
  sharers,
  data,
  pipeline,
  slices,
  replicas,
};
DeviceSet devices_along(MeshAxis axis, const Mesh& mesh);

}  // namespace tpulab
