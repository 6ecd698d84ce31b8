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

  bool operator==(const Mesh&) const = default;
  int inside() const { return data * fsdp * tensor; }  // devices of a slice
  int devices() const { return slices * inside(); }
  // Parts that the rows of a batch are divided into.
  int replicas() const { return slices * data * fsdp; }
};
inline constexpr Mesh one_device{.slices = 1, .data = 1, .fsdp = 1, .tensor = 1};

// The devices that exchange values along an axis. Tensor groups lie innermost, then fully sharded,
// then replicas inside a slice, then slices. `replicas`: fsdp and data together.
enum class MeshAxis : std::uint8_t { tensor, fsdp, data, slices, replicas };
DeviceSet devices_along(MeshAxis axis, const Mesh& mesh);

}  // namespace tpulab
