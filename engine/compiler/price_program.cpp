#include "engine/compiler/price_program.h"

namespace tpulab {

ProgramPrice price(const Program& program, const Machine& machine) {
  ProgramPrice total;
  total.start = picoseconds_from_seconds(machine.generation().program_seconds);
  total.time = total.start;
  for (const Kernel& kernel : program.kernels) {
    total.kernels.push_back(price(kernel.work, machine));
    total.time += total.kernels.back().time;
    total.useful += total.kernels.back().useful;
  }
  return total;
}

}  // namespace tpulab
