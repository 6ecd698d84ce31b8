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

// The devices that share what is left of a parameter.
DeviceSet sharers_of(const Parameter& parameter, const Mesh& mesh) {
  return devices_along(parameter.tensor.of_experts ? MeshAxis::beside_experts : MeshAxis::sharers,
                       mesh);
}

// Those whose rows make up its gradient, where they do not share it: experts have seen the rows of
// all that share them.
DeviceSet replicas_of(const Parameter& parameter, const Mesh& mesh) {
  if (!parameter.tensor.of_experts) return devices_along(MeshAxis::replicas, mesh);
  const DeviceSet sharers = sharers_of(parameter, mesh);
  return {sharers.size * mesh.data, sharers.apart};
}

// Different parts of a parameter that the devices of a slice hold.
int parts_of(const Parameter& parameter, const Mesh& mesh) {
  const int tensor = parameter.tensor.axis < 0 ? 1 : mesh.tensor / parameter.tensor.copies;
  const int experts = parameter.tensor.of_experts ? mesh.expert : 1;
  return tensor * experts * (parameter.fsdp_axis < 0 ? 1 : sharers_of(parameter, mesh).size);
}

// `copies` devices of the group hold the same share.
void divide(Parameter& whole, int axis, int devices, int copies, std::string_view group) {
  const int shares = devices / copies;
  std::int64_t& extent = whole.shape[axis];
  if (extent % shares != 0) {
    throw DoesNotDivide(fmt::format("{} of {} does not divide the {} of axis {} of {}", group,
                                    devices, extent, axis, whole.name),
                        "choose a divisor");
  }
  extent /= shares;
}

}  // namespace

Parameter part_of(Parameter whole, const Mesh& mesh) {
  if (whole.tensor.axis >= 0) {
    divide(whole, whole.tensor.axis, mesh.tensor, whole.tensor.copies, "a tensor group");
  }
  if (whole.tensor.of_experts) {
    divide(whole, 0, mesh.expert, 1, "an expert group");
  }
  const int sharers = sharers_of(whole, mesh).size;
  if (sharers > 1 && whole.shape.rank() > 1) {
    whole.fsdp_axis = divisible_axis(whole.shape, sharers);
    if (whole.fsdp_axis >= 0) whole.shape[whole.fsdp_axis] /= sharers;
  }
  return whole;
}

Tensor gathered(Tensor leaf, const Parameter& parameter, const Mesh& mesh, DType compute) {
  if (parameter.fsdp_axis < 0) return leaf;
  const DeviceSet slices = devices_along(MeshAxis::slices, mesh);
  const Tensor part = divided_among(convert(leaf, compute), slices, parts_of(parameter, mesh));
  return all_gather(part, parameter.fsdp_axis, sharers_of(parameter, mesh));
}

std::vector<Tensor> summed_gradients(std::vector<Tensor> gradients,
                                     std::span<const Parameter> parameters, const Mesh& mesh,
                                     DType sent) {
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const bool sharded = parameter.fsdp_axis >= 0;
    // Behind the backward passes of all layers.
    Graph& graph = *gradients[i].graph;
    const Region before = graph.enter(parameter.region.in(Region::Pass::update));
    const DeviceSet among =
        sharded ? devices_along(MeshAxis::data, mesh) : replicas_of(parameter, mesh);
    const bool alone = among.size == 1 && parameter.tensor.copies == 1 && mesh.slices == 1;
    const DType own = gradients[i].type().dtype;
    Tensor sum = all_reduce(convert(gradients[i], alone ? own : sent), among);
    sum = all_reduce(sum, {parameter.tensor.copies, 1});
    if (!sharded) {
      sum = all_reduce(sum, devices_along(MeshAxis::slices, mesh), parts_of(parameter, mesh));
    }
    gradients[i] = convert(sum, own);
    graph.enter(before);
  }
  return gradients;
}

}  // namespace tpulab
