#include "engine/training/partition.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

namespace {

// The longest axis that divides; -1: none.
int divisible_axis(const Shape& shape, int devices) {
  int found = -1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const bool longer = found < 0 || shape[axis] > shape[found];
    if (shape[axis] % devices == 0 && longer) found = axis;
  }
  return found;
}

// Different parts of a parameter that the devices of a slice hold.
int parts_of(const Parameter& parameter, const Mesh& mesh) {
  const int tensor = parameter.tensor.axis < 0 ? 1 : mesh.tensor / parameter.tensor.copies;
  return tensor * (parameter.fsdp_axis < 0 ? 1 : mesh.fsdp);
}

}  // namespace

Parameter part_of(Parameter whole, const Mesh& mesh) {
  if (whole.tensor.axis >= 0) {
    const int shares = mesh.tensor / whole.tensor.copies;
    std::int64_t& extent = whole.shape[whole.tensor.axis];
    if (extent % shares != 0) {
      throw Error(
          fmt::format("a tensor group of {} does not divide the {} of axis {} of {}; choose "
                      "a divisor",
                      mesh.tensor, extent, whole.tensor.axis, whole.name));
    }
    extent /= shares;
  }
  if (mesh.fsdp > 1 && whole.shape.rank() > 1) {
    whole.fsdp_axis = divisible_axis(whole.shape, mesh.fsdp);
    if (whole.fsdp_axis >= 0) whole.shape[whole.fsdp_axis] /= mesh.fsdp;
  }
  return whole;
}

Tensor gathered(Tensor leaf, const Parameter& parameter, const Mesh& mesh, DType compute) {
  if (parameter.fsdp_axis < 0) return leaf;
  const DeviceSet slices = devices_along(MeshAxis::slices, mesh);
  const Tensor part = divided_among(convert(leaf, compute), slices, parts_of(parameter, mesh));
  return all_gather(part, parameter.fsdp_axis, devices_along(MeshAxis::fsdp, mesh));
}

std::vector<Tensor> summed_gradients(std::vector<Tensor> gradients,
                                     std::span<const Parameter> parameters, const Mesh& mesh) {
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const bool sharded = parameter.fsdp_axis >= 0;
    // Behind the backward passes of all layers.
    Graph& graph = *gradients[i].graph;
    const Region before = graph.enter(parameter.region.in(Region::Pass::update));
    const MeshAxis axis = sharded ? MeshAxis::data : MeshAxis::replicas;
    Tensor sum = all_reduce(gradients[i], devices_along(axis, mesh));
    sum = all_reduce(sum, {parameter.tensor.copies, 1});
    if (!sharded) {
      sum = all_reduce(sum, devices_along(MeshAxis::slices, mesh), parts_of(parameter, mesh));
    }
    gradients[i] = sum;
    graph.enter(before);
  }
  return gradients;
}

}  // namespace tpulab
