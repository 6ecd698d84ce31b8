// Time of a collective over the torus of a slice.
#pragma once

#include <array>

#include "engine/base/work.h"
#include "engine/machine/machine.h"

namespace tpulab {

struct CollectiveTime {
  double transfer = 0;  // seconds, the share that grows with the payload
  double latency = 0;   // seconds, the start and the hops
};

// All-reduce: every chip sends and receives 2 (n - 1) / n of the payload over the links of all axes
// in use at once, two links an axis (one where no wrap-around closes it); reduce-scatter and
// all-gather are half of that, of the whole array [SB]. The two cores of one chip (v2, v3) combine
// through their HBM, piece by piece while the links work. Joined slices exchange what each of their
// chips holds after a reduce-scatter over the data-centre network: n slices in log2 n rounds (half
// as many for a reduce-scatter or an all-gather), at the share of the network's peak that the stack
// reaches. MT's steps on 2 to 32 slices grow so, not by 2 (n - 1) / n. Only the chips of
// `machine.devices` take part, or the devices that `work` names (device_set.h); one device alone
// needs no time.
CollectiveTime collective_time(const CollectiveWork& work, const Machine& machine);

// Of the same collective, the bytes that one link along each axis carries in each direction: all
// links in use carry the same; 0 along an axis without one.
std::array<double, 3> bytes_of_links(const CollectiveWork& work, const Machine& machine);

}  // namespace tpulab
