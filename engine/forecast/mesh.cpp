#include "engine/forecast/mesh.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

namespace {

std::string text_of(const Mesh& mesh) {
  return fmt::format("slices {} x data {} x fsdp {} x tensor {}", mesh.slices, mesh.data, mesh.fsdp,
                     mesh.tensor);
}

// The smallest tensor group with which the rows divide over the other devices.
int tensor_group_for(std::int64_t batch, int devices) {
  for (int tensor = 1; tensor <= devices; tensor *= 2) {
    if (devices % tensor == 0 && batch % (devices / tensor) == 0) return tensor;
  }
  return 1;
}

void check_parts(const Mesh& asked, const Slice& slice) {
  for (const int part : {asked.slices, asked.data, asked.fsdp, asked.tensor}) {
    if (part < 0) throw Error("a mesh has no negative part; choose numbers from 1 on");
  }
  if (asked.slices > 0 && asked.slices != slice.joined) {
    throw Error(fmt::format(
        "{} is {} slice{}, the mesh asks for {}; name the slice {}x... for more", slice.name,
        slice.joined, slice.joined == 1 ? "" : "s", asked.slices, asked.slices));
  }
}

void check_batch(const Mesh& mesh, std::int64_t batch) {
  const std::int64_t replicas = std::int64_t{mesh.slices} * mesh.data * mesh.fsdp;
  if (batch % replicas == 0) return;
  const std::int64_t below = batch / replicas * replicas;
  const std::string nearest =
      below > 0 ? fmt::format("{} or {}", below, below + replicas) : fmt::format("{}", replicas);
  throw Error(fmt::format("batch {} does not divide over {} replicas ({}); choose {}", batch,
                          replicas, text_of(mesh), nearest));
}

}  // namespace

Mesh resolved_mesh(const Mesh& asked, const Slice& slice, std::int64_t batch, bool needs_sharding) {
  check_parts(asked, slice);
  const int inside = slice.devices() / slice.joined;
  Mesh mesh = asked;
  mesh.slices = slice.joined;
  const bool open = asked.data == 0 && asked.fsdp == 0;
  // Only fewer rows than devices make a tensor group of themselves; other batches must divide.
  const bool few_rows = open && batch < slice.devices();
  if (mesh.tensor == 0) mesh.tensor = few_rows ? tensor_group_for(batch, slice.devices()) : 1;
  if (mesh.tensor > inside) mesh.tensor = asked.tensor == 0 ? 1 : mesh.tensor;
  const int rest = std::max(1, inside / mesh.tensor);
  if (open) {
    mesh.fsdp = needs_sharding ? rest : 1;
    mesh.data = rest / mesh.fsdp;
  } else if (mesh.data == 0) {
    mesh.data = std::max(1, rest / mesh.fsdp);
  } else if (mesh.fsdp == 0) {
    mesh.fsdp = std::max(1, rest / mesh.data);
  }
  if (mesh.devices() != slice.devices()) {
    throw Error(fmt::format("the mesh {} needs {} devices, {} has {}; make the product equal",
                            text_of(mesh), mesh.devices(), slice.name, slice.devices()));
  }
  check_batch(mesh, batch);
  return mesh;
}

DeviceSet devices_along(MeshAxis axis, const Mesh& mesh) {
  switch (axis) {
    case MeshAxis::tensor:
      return {mesh.tensor, 1};
    case MeshAxis::fsdp:
      return {mesh.fsdp, mesh.tensor};
    case MeshAxis::data:
      return {mesh.data, mesh.tensor * mesh.fsdp};
    case MeshAxis::slices:
      break;
  }
  return {mesh.slices, mesh.tensor * mesh.fsdp * mesh.data};
}

}  // namespace tpulab
