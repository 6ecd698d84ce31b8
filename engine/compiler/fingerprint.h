// The identity of a program: what must be equal for a compiled program to be used again. It keeps
// its parts, so that a compile can say what is new in it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace tpulab {

struct Kernel;

struct FingerprintKey {
  std::array<std::uint64_t, 2> words{};
  auto operator<=>(const FingerprintKey&) const = default;
};

// The parts in words. Types of computed nodes follow from inputs and ops and are no parts of their
// own.
struct Fingerprint {
  FingerprintKey key;
  std::vector<std::string> inputs;   // "f32[32,64] images"
  std::vector<std::string> ops;      // "dot lhs_contracting=0": word and static attributes
  std::vector<std::string> outputs;  // "f32[] all-reduce"
  std::vector<int> sequence;         // per input: the first input that is the same buffer
  std::vector<int> donated;          // per output: the input it takes over, or -1
  std::uint64_t wiring = 0;          // who reads whom, and which nodes are outputs
  std::string topology;              // "v3-8, 8 cores"
};

// What a cut computes, reduced to the nodes that the outputs need: the view both the fingerprint
// and the compiler work on.
struct Cut {
  const Graph* graph = nullptr;
  std::vector<NodeId> nodes;  // needed ones, ascending: run order
  std::vector<NodeId> outputs;
  std::vector<BufferId> overwrites;  // per output, -1: none
  std::string topology;
  int world = 1;
};

// Keeps what `outputs` need.
Cut make_cut(const Graph& graph, std::vector<NodeId> outputs, std::vector<BufferId> overwrites,
             std::string topology, int world);

// Per output of the cut the input whose buffer it takes over, or -1.
std::vector<int> donations(const Cut& cut);

// The key alone, made at each cut: one pass over the nodes.
FingerprintKey fingerprint_key(const Cut& cut);
// Key and parts, made at each compile.
Fingerprint fingerprint(const Cut& cut);

// The key of parts that no graph stands behind: of a program made from a list of kernels.
FingerprintKey key_of_parts(const Fingerprint& parts, std::span<const Kernel> kernels);

// What is new in `now` against `before`, one part a line, most telling first:
// "input 0: f32[32,64] -> f32[20,64]". Never empty for different fingerprints.
std::vector<std::string> describe_difference(const Fingerprint& before, const Fingerprint& now);

}  // namespace tpulab
