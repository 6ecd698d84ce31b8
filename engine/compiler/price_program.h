// Where a program meets a machine: the price of each kernel and their sum.
#pragma once

#include <vector>

#include "engine/compiler/program.h"
#include "engine/machine/price.h"

namespace tpulab {

struct ProgramPrice {
  std::vector<Price> kernels;        // as in Program::kernels, of one run each
  std::vector<Picoseconds> exposed;  // of all runs of a kernel: what no other kernel hides
  std::vector<Picoseconds> hidden;   // and the rest
  std::vector<Picoseconds> beside;   // work of the device's own units while one that began before
                                     // its place is under way
  Picoseconds start{};               // fixed cost of starting the program on the device
  Picoseconds time{};                // start and what is exposed of all kernels
  Flops useful;                      // unpadded matrix operations of one device
};

// It is no work of the device's own units.
bool crosses_host_link(const KernelWork& work);
inline bool crosses_host_link(const Kernel& kernel) { return crosses_host_link(kernel.work); }

// Per kernel the first of the same work, which has the same price.
std::vector<int> first_alike(const std::vector<const Kernel*>& kernels);

// Of one run, as measured by itself. Of the stack's row only what goes between slices depends.
Price kernel_price(const Program& program, std::size_t kernel, const Machine& machine);
std::vector<Price> kernel_prices(const Program& program, const Machine& machine);

// What these come to. Kernels in a program reach the stack's share of the speed they have when
// measured alone (StackRow::kernel_efficiency). Collectives that may overlap hide behind the other
// kernels up to the stack's collective_overlap, as equal shares of each; those that a text
// schedules, and what crosses the host link, behind what runs meanwhile.
ProgramPrice in_program(std::vector<Price> kernels, const Program& program, const Machine& machine);

// Both: a pure function of a program and a machine.
ProgramPrice price(const Program& program, const Machine& machine);

// What is exposed of a kernel where the slowest core takes `device_factor` times as long. The host
// link is as fast as ever, and a longer pass hides more of what crosses it.
Picoseconds exposed_at(const ProgramPrice& price, std::size_t kernel, double device_factor);

}  // namespace tpulab
