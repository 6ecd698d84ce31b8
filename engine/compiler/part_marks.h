// The parts of a program's identity as numbers, to be compared with those of many others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/compiler/program.h"

namespace tpulab {

struct PartMarks {
  FingerprintKey key;
  // Of inputs, ops and outputs a number each, in the order of these numbers.
  std::array<std::vector<std::uint64_t>, 3> lists;
  std::array<std::uint64_t, 4> others{};  // buffers, donations, topology, wiring

  std::uint64_t topology() const { return others[2]; }
  std::size_t parts() const { return lists[0].size() + lists[1].size() + lists[2].size(); }
};

PartMarks marks_of(const Program& program);

// How many parts one of both has and the other has not; 0 only for equal keys. Takes time in
// proportion to the parts.
int difference(const PartMarks& a, const PartMarks& b);

// Whether one has all inputs of the other, as they are.
bool adds_inputs(const PartMarks& a, const PartMarks& b);

// A program's parts in words; where no graph stands behind it, its kernels are its ops.
Fingerprint parts_of(const Program& program);

}  // namespace tpulab
