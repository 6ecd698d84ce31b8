// The kernels of a program with their prices, as plain rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/machine/price.h"
#include "engine/session/answers/product_tiles.h"

namespace tpulab {

// TPU time of one kernel on one device, estimated:
//   time = overhead + exposed + latency + longest() + not_hidden()
struct KernelRow : Price {
  std::string name{};                    // "dot+add+maximum"
  std::int64_t runs = 1;                 // identical ones in one step; the times are of one
  Picoseconds beside{};                  // of all runs: what other kernels hide
  std::vector<ProductTiles> products{};  // what the matrix units do in it

  // Of what works at the same time; the units start their blocks one after the other.
  Picoseconds longest() const {
    return std::max({std::max(matrix, vector) + blocks, hbm, transfer, host_link});
  }
  // What these do not hide of each other.
  Picoseconds not_hidden() const { return time - (overhead + exposed + latency + longest()); }
};

// What a device reaches at most in a second.
struct Roofs {
  double operations = 0;  // of its matrix units, in one bf16 pass
  int passes = 1;         // of the program's products: the most any takes
  double bytes = 0;       // over HBM
};

// What the collectives of a step put on one link of the torus, in each direction.
struct LinkLoad {
  std::array<Bytes, 3> carried{};  // by axis; none where no link is in use
  double bytes = 0;                // at most in a second
};

struct PricedProgram {
  std::string title;  // "train step of run 2, mlp 64-1024-1024-10 on v3-8"
  Picoseconds start{};
  Picoseconds time{};  // start and all kernels
  Flops useful{};      // unpadded matrix operations, of runs that have rows
  std::vector<KernelRow> kernels;
  Roofs roofs{};  // of the data sheet, as utilisation is
  LinkLoad links{};
};

}  // namespace tpulab
