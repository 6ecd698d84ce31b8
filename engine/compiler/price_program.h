// Where a program meets a machine: the price of each kernel and their sum.
#pragma once

#include <vector>

#include "engine/compiler/program.h"
#include "engine/machine/price.h"

namespace tpulab {

struct ProgramPrice {
  std::vector<Price> kernels;  // as in Program::kernels
  Picoseconds start{};         // fixed cost of starting the program on the device
  Picoseconds time{};          // start and all kernels, one after the other
  Flops useful;                // unpadded matrix operations of one device
};

// A pure function of both.
ProgramPrice price(const Program& program, const Machine& machine);

}  // namespace tpulab
