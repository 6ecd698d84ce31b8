// Devices that do the same are one: which they are, and how the screen names them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"

namespace tpulab {

// Of its time, what the device waits for slower ones.
double wait_share(const CoreView& core);

struct AlikeDevices {
  std::vector<int> devices;  // ascending, at least one
  CoreView each;             // the first of them
  bool slow = false;         // the others wait for these
};

// Those that the others wait for come first, then the largest group. Two figures that differ in the
// last bit make two groups: devices of one group share one lane of the simulation.
std::vector<AlikeDevices> alike_devices(std::span<const CoreView> cores);

// Of a run: some are slower than others or have no part in it, so that one tile is not for all.
// That stays so from its first step to its last.
bool devices_differ(const Snapshot& now);

// The devices that the others wait for, ascending.
std::vector<int> slow_devices(std::span<const CoreView> cores);

// One of its chips is that whose links are slow.
bool has_slow_link(const AlikeDevices& group, const RunView& run);

// "core 5", "cores 8-15 (host 1)", "7 other cores", "8 cores".
std::string name_of(const AlikeDevices& group, std::size_t groups, const RunView& run);
// "8 cores, identical", "core 5, straggler", "7 cores (off)".
std::string title_of(const AlikeDevices& group, std::size_t groups, const RunView& run);
// What of a steady step they wait, or the others for them: "the others wait 71.0 us a step" and, in
// brief, "others wait 71.0 us"; "all wait 4.00 ms a step for them" of links; empty if nobody does.
struct WaitWords {
  std::string full;
  std::string brief;
};
WaitWords wait_of(const AlikeDevices& group, std::span<const AlikeDevices> groups,
                  const RunView& run);

}  // namespace tpulab
