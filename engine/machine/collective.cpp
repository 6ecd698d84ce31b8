#include "engine/machine/collective.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/machine/device_set.h"
#include "engine/machine/straggler.h"

namespace tpulab {

namespace {

// The box of chips in use, and whether the ring of each axis is complete.
struct UsedTorus {
  int chips = 0;
  std::array<int, 3> extent{1, 1, 1};
  std::array<bool, 3> ring{false, false, false};
};

UsedTorus used_torus(const Machine& machine) {
  const Slice& slice = machine.slice;
  if (machine.world() == slice.devices()) {
    return {slice.chips / slice.joined, slice.torus, slice.wraps};
  }
  constexpr int beyond = std::numeric_limits<int>::max();
  std::array<int, 3> low{beyond, beyond, beyond};
  std::array<int, 3> high{-1, -1, -1};
  const std::vector<int> chips = machine.chips();
  for (const int chip : chips) {
    const std::array<int, 3> at{chip % slice.torus[0], chip / slice.torus[0] % slice.torus[1],
                                chip / slice.torus[0] / slice.torus[1]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
    }
  }
  UsedTorus used{.chips = static_cast<int>(chips.size())};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    used.extent[axis] = high[axis] - low[axis] + 1;
    used.ring[axis] = slice.wraps[axis] && used.extent[axis] == slice.torus[axis];
  }
  return used;
}

// That leave one chip along an axis in use.
double links_along(const UsedTorus& used, std::size_t axis) {
  if (used.extent[axis] <= 1) return 0;
  return used.ring[axis] ? 2 : 1;
}

double links_of_chip(const UsedTorus& used) {
  return links_along(used, 0) + links_along(used, 1) + links_along(used, 2);
}

// Bytes per second that leave one chip over all axes in use.
double chip_bandwidth(const UsedTorus& used, const Generation& generation) {
  return links_of_chip(used) * generation.link_bytes_per_second * generation.link_efficiency;
}

// Links between two chips, on average over all pairs: a quarter of a ring, a third of a line.
double mean_hops(const UsedTorus& used) {
  double hops = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (used.extent[axis] > 1) hops += used.extent[axis] / (used.ring[axis] ? 4.0 : 3.0);
  }
  return std::max(hops, 1.0);
}

// What leaves each chip, what it passes on for others included. A neighbour is reached over one
// link, as slowly as if every link carried as much.
double bytes_of_chip(const CollectiveWork& work, const UsedTorus& used) {
  const auto bytes = static_cast<double>(work.bytes.value);
  const double share = static_cast<double>(used.chips - 1) / used.chips;
  switch (work.kind) {
    case CollectiveKind::all_reduce:
      return 2 * share * bytes;
    case CollectiveKind::all_to_all:
      return mean_hops(used) * share * bytes;
    case CollectiveKind::permute:
      return links_of_chip(used) * bytes;
    default:
      return share * bytes;
  }
}

int hops_of(const CollectiveWork& work, const UsedTorus& used) {
  if (work.kind == CollectiveKind::permute) return 1;
  int hops = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    hops += used.ring[axis] ? used.extent[axis] / 2 : used.extent[axis] - 1;
  }
  return hops;
}

// Between slices, whose chips exchange what each holds after a reduce-scatter inside.
CollectiveTime network_time(const CollectiveWork& work, int slices, const Machine& machine) {
  const Generation& generation = machine.generation();
  const int chips = machine.slice.chips / machine.slice.joined;
  const double phases = work.kind == CollectiveKind::all_reduce ? 1 : 0.5;
  const double rounds = std::log2(slices);
  const double piece = static_cast<double>(work.bytes.value) / chips;
  const double reached = generation.network_bytes_per_second * machine.stack->network_share;
  // A fifth slice begins a third round, but does not send as much once more.
  return {.transfer = phases * rounds * piece / reached,
          .latency = phases * std::ceil(rounds) * generation.network_seconds};
}

// The same among some of the devices.
CollectiveTime time_among(const CollectiveWork& work, const Machine& machine) {
  if (work.among.size == 1 || work.bytes.value <= 0) return {};
  if (!spans_slices(machine, work.among)) {
    return collective_time({work.kind, work.bytes}, group_machine(machine, work.among));
  }
  return network_time(work, work.among.size, machine);
}

}  // namespace

CollectiveTime collective_time(const CollectiveWork& work, const Machine& machine) {
  if (machine.world() <= 1) return {};
  if (work.among.size > 0) return time_among(work, machine);
  const Generation& generation = machine.generation();
  const UsedTorus used = used_torus(machine);
  const double phases = work.kind == CollectiveKind::all_reduce ? 2 : 1;
  const auto bytes = static_cast<double>(work.bytes.value);
  CollectiveTime time{.latency = generation.collective_seconds};
  if (used.chips > 1) {
    time.transfer =
        slowness_of_links(machine) * bytes_of_chip(work, used) / chip_bandwidth(used, generation);
    time.latency += phases * hops_of(work, used) * generation.hop_seconds;
  }
  const Slice& slice = machine.slice;
  const int joined = machine.world() == slice.devices() ? slice.joined : 1;
  if (joined > 1) {
    const CollectiveTime network = network_time(work, joined, machine);
    time.transfer += network.transfer;
    time.latency += network.latency;
  }
  if (machine.world() > used.chips * joined) {
    const double memory = generation.hbm_bytes_per_second * generation.hbm_efficiency;
    time.transfer = std::max(time.transfer, phases * bytes / memory);
  }
  return time;
}

std::array<double, 3> bytes_of_links(const CollectiveWork& work, const Machine& machine) {
  std::array<double, 3> bytes{};
  if (machine.world() <= 1) return bytes;
  if (work.among.size > 0) {
    if (work.among.size == 1 || spans_slices(machine, work.among)) return bytes;
    return bytes_of_links({work.kind, work.bytes}, group_machine(machine, work.among));
  }
  const UsedTorus used = used_torus(machine);
  if (used.chips <= 1) return bytes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (links_along(used, axis) > 0) bytes[axis] = bytes_of_chip(work, used) / links_of_chip(used);
  }
  return bytes;
}

}  // namespace tpulab
