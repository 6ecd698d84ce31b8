#include <algorithm>

#include "engine/machine/price.h"

namespace tpulab {

Picoseconds host_transfer_time(Bytes bytes, const Machine& machine) {
  // The devices of a chip share its link.
  const double share = machine.host->link_share / machine.generation().devices_per_chip;
  const double rate = machine.generation().host_link_bytes_per_second * share;
  return picoseconds_from_seconds(static_cast<double>(bytes.value) / rate);
}

Picoseconds host_compute_time(const HostWork& work, const Machine& machine) {
  const double arithmetic =
      static_cast<double>(work.flops.value) / machine.host->cpu_flops_per_second;
  const double memory =
      static_cast<double>(work.bytes.value) / machine.host->memory_bytes_per_second;
  return picoseconds_from_seconds(std::max(arithmetic, memory));
}

Picoseconds compile_time(int nodes, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  const double count = nodes;
  return picoseconds_from_seconds(stack.compile_seconds_base +
                                  stack.compile_seconds_per_node * count +
                                  stack.compile_seconds_per_node_squared * count * count);
}

Picoseconds program_load_time(int nodes, const Machine& machine) {
  return scaled(compile_time(nodes, machine), machine.stack->load_share_of_compile);
}

}  // namespace tpulab
