#include "engine/compiler/price_program.h"

#include <algorithm>

#include "engine/machine/device_set.h"

namespace tpulab {

namespace {

// All terms alike, so that the time stays what they make of it.
void slow_down(Price& price, double factor) {
  for (Picoseconds Price::*term : {&Price::time, &Price::matrix, &Price::vector, &Price::hbm,
                                   &Price::overhead, &Price::exposed, &Price::blocks}) {
    price.*term = scaled(price.*term, factor);
  }
}

// Each further kernel that XLA makes of this one has a start of its own.
void add_starts(Price& price, int launches, const Generation& generation) {
  const Picoseconds more = picoseconds_from_seconds(generation.kernel_seconds) * (launches - 1);
  price.overhead += more;
  price.time += more;
}

// Collectives of a mesh axis run beside the kernels of a step, as far as the stack's row says;
// those between slices do not, nor does one call over all devices behind the backward pass.
bool overlaps(const Kernel& kernel, const Machine& machine) {
  if (!kernel.collective || kernel.work.items.empty()) return false;
  const auto& work = std::get<CollectiveWork>(kernel.work.items.front());
  return work.among.size > 0 && !spans_slices(machine, work.among);
}

// The share of overlapping collectives that stays exposed.
double exposed_share(Picoseconds collectives, Picoseconds others, const StackRow& stack) {
  if (collectives.count() <= 0) return 1;
  const double hidden = stack.collective_overlap * in_seconds(std::min(collectives, others));
  return 1 - hidden / in_seconds(collectives);
}

}  // namespace

ProgramPrice price(const Program& program, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  ProgramPrice total;
  total.start =
      picoseconds_from_seconds(machine.generation().program_seconds / stack.steps_per_dispatch);
  const auto neighbours =
      program.alone && program.kernels.size() == 1 ? Neighbours::none : Neighbours::around;
  Picoseconds others = total.start;
  Picoseconds overlapping{};
  for (const Kernel& kernel : program.kernels) {
    Price one = price(kernel.work, machine, neighbours);
    add_starts(one, kernel.launches, machine.generation());
    if (!kernel.collective && !program.alone) slow_down(one, 1 / stack.kernel_efficiency);
    const Picoseconds all = one.time * kernel.runs;
    if (!kernel.collective) others += all;
    if (overlaps(kernel, machine)) overlapping += all;
    total.kernels.push_back(one);
    total.exposed.push_back(all);
    total.useful += one.useful * kernel.runs;
  }
  const double open = exposed_share(overlapping, others, stack);
  total.time = total.start;
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    if (overlaps(program.kernels[k], machine)) total.exposed[k] = scaled(total.exposed[k], open);
    total.time += total.exposed[k];
  }
  return total;
}

}  // namespace tpulab
