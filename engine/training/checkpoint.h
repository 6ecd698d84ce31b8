// What a training run is besides its settings: enough to go on bit for bit.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/array.h"
#include "engine/training/loop.h"

namespace tpulab {

struct Parameter;
struct TrainerOptions;

struct NamedArray {
  std::string name{};  // "dense1.weight", "dense1.weight.moment1"
  Array values{};
};

// Every random number of a run follows from its seed, its step (dropout) and its epoch (the order
// of rows), so that no generator has a state of its own.
struct TrainerState {
  LoopPlace place{};
  std::vector<NamedArray> arrays{};
  std::uint64_t data = 0;  // digest of the data and of how it was parted; 0: not told
};

std::string moment_name(const Parameter& parameter, std::size_t moment);

// Throws Error, which says what differs, unless a trainer with these options on so many devices
// can go on from there.
void check_fits(const TrainerState& state, const TrainerOptions& options, int world);

}  // namespace tpulab
