// Where arrays lie in HBM while a program runs. XLA's TPU compiler places them in the order of the
// program, each in the smallest hole that holds it: what lives at once is less than the heap.
#pragma once

#include <span>
#include <vector>

#include "engine/base/units.h"

namespace tpulab {

// From `begin` until `end` inclusive, in a count that both share.
struct Lifetime {
  int begin = 0;
  int end = 0;
  Bytes bytes;
};

// The size of the heap that holds all of them, in blocks of 16 KiB [offsets in the programs that
// the TPU compiler dumps]. Of those that begin together the larger ones come first.
Bytes packed(std::vector<Lifetime> values);

// Per value: whether a memory of `room` beside it holds it, the shortest-lived first [TPU: from v4
// on, small steps have no temporaries in HBM].
std::vector<char> held_beside(std::span<const Lifetime> values, Bytes room);

}  // namespace tpulab
