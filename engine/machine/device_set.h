// Some of a slice's devices as a machine of its own: the groups that exchange values along one axis
// of a mesh.
#pragma once

#include "engine/base/work.h"
#include "engine/machine/machine.h"

namespace tpulab {

// One of the sets of `among` inside a slice, as a compact box of its torus. Devices are numbered
// innermost first: those of a chip, then along the first axis of the torus.
Machine group_machine(const Machine& machine, const DeviceSet& among);

// True if the devices of a set lie in different ones of joined slices.
bool spans_slices(const Machine& machine, const DeviceSet& among);

}  // namespace tpulab
