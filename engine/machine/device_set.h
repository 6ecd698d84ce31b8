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

// Seconds of an all-reduce between joined slices. Each chip holds its piece of the `bytes` after
// the reduction inside its slice. Pieces are exchanged by recursive doubling: as many rounds as the
// slices have doublings, at the share of the network's peak that the stack reaches.
double network_seconds(double bytes, int slices, const Machine& machine);

}  // namespace tpulab
