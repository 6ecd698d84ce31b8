#include "engine/base/mesh.h"

namespace tpulab {

DeviceSet devices_along(MeshAxis axis, const Mesh& mesh) {
  switch (axis) {
    case MeshAxis::tensor:
      return {mesh.tensor, 1};
    case MeshAxis::fsdp:
      return {mesh.fsdp, mesh.tensor};
    case MeshAxis::data:
      return {mesh.data, mesh.tensor * mesh.fsdp};
    case MeshAxis::replicas:
      return {mesh.fsdp * mesh.data, mesh.tensor};
    case MeshAxis::slices:
      break;
  }
  return {mesh.slices, mesh.inside()};
}

}  // namespace tpulab
