#include "engine/machine/device_set.h"

#include <numeric>

#include "engine/machine/straggler.h"

namespace tpulab {

namespace {

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

Machine group_machine(const Machine& machine, const DeviceSet& among) {
  const Slice& whole = machine.slice;
  std::array<int, 3> left = whole.torus;
  int on_chip = whole.generation->devices_per_chip;
  take(left, chips_of(among.apart, on_chip));
  const int chips = chips_of(among.size, on_chip);
  const std::array<int, 3> box = take(left, chips);
  Machine group{.slice = whole, .host = machine.host, .stack = machine.stack, .devices = {}};
  group.slice.joined = 1;
  group.slice.chips = chips;
  group.slice.torus = box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    group.slice.wraps[axis] = whole.wraps[axis] && box[axis] == whole.torus[axis];
  }
  group.devices.resize(static_cast<std::size_t>(among.size));
  // Devices that share a chip lie side by side; a group that has one of each chip skips the others.
  const int step = chips * whole.generation->devices_per_chip / among.size;
  for (int i = 0; i < among.size; ++i) group.devices[static_cast<std::size_t>(i)] = i * step;
  if (const Straggler* slow = slowest_link(machine)) group.stragglers.push_back(*slow);
  return group;
}

bool spans_slices(const Machine& machine, const DeviceSet& among) {
  return among.size > 1 && among.apart >= machine.slice.devices() / machine.slice.joined;
}

}  // namespace tpulab
