#include "engine/forecast/mesh.h"

#include <fmt/format.h>

#include <numeric>

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

// Takes `chips` of what is left of each axis, innermost first.
std::array<int, 3> take(std::array<int, 3>& left, int chips) {
  std::array<int, 3> box{1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int extent = std::gcd(chips, left[axis]);
    box[axis] = extent;
    left[axis] /= extent;
    chips /= extent;
  }
  box[0] *= chips;  // odd shapes: along one axis
  return box;
}

// Chips of a group of devices, and the devices that share one of them.
int chips_of(int devices, int& devices_on_chip) {
  const int shared = std::gcd(devices, devices_on_chip);
  devices_on_chip /= shared;
  return devices / shared;
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

Machine group_machine(const Machine& machine, const Mesh& mesh, MeshAxis axis) {
  const Slice& whole = machine.slice;
  std::array<int, 3> left = whole.torus;
  int on_chip = whole.generation->devices_per_chip;
  const std::array<int, 3> groups{mesh.tensor, mesh.fsdp, mesh.data};
  std::array<int, 3> box{1, 1, 1};
  int devices = 1;
  int chips = 1;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const int group_chips = chips_of(groups[i], on_chip);
    const std::array<int, 3> part = take(left, group_chips);
    const bool wanted =
        i == static_cast<std::size_t>(axis) || (axis == MeshAxis::fsdp_and_data && i > 0);
    if (!wanted) continue;
    devices *= groups[i];
    chips *= group_chips;
    for (std::size_t a = 0; a < 3; ++a) box[a] *= part[a];
  }
  Machine group{.slice = whole, .host = machine.host, .stack = machine.stack, .devices = {}};
  group.slice.joined = 1;
  group.slice.chips = chips;
  group.slice.torus = box;
  for (std::size_t a = 0; a < 3; ++a) {
    group.slice.wraps[a] = whole.wraps[a] && box[a] == whole.torus[a];
  }
  group.devices.resize(static_cast<std::size_t>(devices));
  // Devices that share a chip lie side by side; a group that has one of each chip skips the others.
  const int step = chips * whole.generation->devices_per_chip / devices;
  for (int i = 0; i < devices; ++i) group.devices[static_cast<std::size_t>(i)] = i * step;
  return group;
}

}  // namespace tpulab
