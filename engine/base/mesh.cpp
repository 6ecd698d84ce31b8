#include "engine/base/mesh.h"

namespace tpulab {

DeviceSet devices_along(MeshAxis axis, const Mesh& mesh) {
  switch (axis) {
    case MeshAxis::tensor:
      return {mesh.tensor, 1};
    case MeshAxis::expert:
      return {mesh.expert, mesh.tensor};
    case MeshAxis::context:
      return {mesh.context, mesh.tensor * mesh.expert};
    case MeshAxis::beside_experts:
      return {mesh.context * mesh.fsdp, mesh.tensor * mesh.expert};
    case MeshAxis::sharers:
      return {mesh.sharers(), mesh.tensor};
    case MeshAxis::data:
      return {mesh.data, mesh.tensor * mesh.sharers()};
    case MeshAxis::replicas:
      return {mesh.sharers() * mesh.data, mesh.tensor};
    case MeshAxis::pipeline:
      return {mesh.pipeline, mesh.of_stage()};
    case MeshAxis::slices:
      break;
  }
  return {mesh.slices, mesh.inside()};
}

}  // namespace tpulab
