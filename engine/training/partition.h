// How parameters and their gradients lie on a mesh.
#pragma once

#include "engine/training/model.h"

namespace tpulab {

// The part of `whole`, whose shape is that of all devices together, that one device holds: a share
// of the axis that a tensor group divides, and of the experts; of what has two axes or more, a
// share of the longest that the devices that share a weight divide. Norms and biases stay whole, as
// do arrays that nothing divides. Throws Error where a group does not divide.
Parameter part_of(Parameter whole, const Mesh& mesh);

// What products read of a leaf that holds a part: gathered among the fully sharded devices, in the
// dtype of products. The gradient goes back as it came, and is summed between slices on its way.
Tensor gathered(Tensor leaf, const Parameter& parameter, const Mesh& mesh, DType compute);

// The gradients of the leaves on one device, summed over all that have rows of their own and over
// copies, in that dtype. The compiler makes one call of those that travel among the same devices.
std::vector<Tensor> summed_gradients(std::vector<Tensor> gradients,
                                     std::span<const Parameter> parameters, const Mesh& mesh,
                                     DType sent);

}  // namespace tpulab
