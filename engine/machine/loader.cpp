#include "engine/machine/loader.h"

#include <algorithm>

namespace tpulab {

namespace {

// Of a VM of so many chips, or its part of one of four.
double cpus_of_vm(const Generation& generation, int chips) {
  if (chips == 1 && generation.lone_chip_cpus > 0) return generation.lone_chip_cpus;
  if (chips >= 8 && generation.eight_chip_cpus > 0) return generation.eight_chip_cpus;
  constexpr int usual = 4;
  return generation.host_cpus * std::min(chips, usual) / usual;
}

}  // namespace

double host_cpus(const Machine& machine) {
  if (machine.loader.cpus > 0) return machine.loader.cpus;
  if (machine.host->cpus) return *machine.host->cpus;
  const Generation& generation = machine.generation();
  return cpus_of_vm(generation, machine.slice.devices_per_host() / generation.devices_per_chip);
}

double slowness_of_python(const Machine& machine) {
  const int processes = machine.stack->traces_each_step() ? devices_of_host(machine) : 1;
  return std::max(processes / host_cpus(machine), 1.0) / machine.host->python_speed;
}

int devices_of_host(const Machine& machine) {
  return std::min(machine.world(), machine.slice.devices_per_host());
}

double loaders_at_work(const Machine& machine, double usual) {
  const LoaderHabits& asked = machine.loader;
  if (asked.workers < 0 && asked.cpus == 0) return usual;
  double wanted = std::max(asked.workers < 0 ? usual : asked.workers, 1.0);
  // Where one process serves all devices of a host, what it loads itself is for all of them.
  const bool itself = asked.workers == 0 && !machine.stack->traces_each_step();
  if (itself) wanted /= devices_of_host(machine);
  return std::min(wanted, host_cpus(machine) / devices_of_host(machine));
}

double row_seconds(const Machine& machine) {
  if (machine.loader.row_seconds > 0) return machine.loader.row_seconds;
  return 1 / machine.host->rows_per_second_per_worker.value;
}

bool sends_ahead(const Machine& machine) {
  return machine.world() > 1 || !machine.stack->traces_each_step();
}

int batches_ahead(const Machine& machine) {
  if (machine.loader.ahead > 0) return machine.loader.ahead;
  return static_cast<int>(machine.stack->batches_ahead.value);
}

int batches_kept_ready(const Machine& machine) {
  return sends_ahead(machine) ? batches_ahead(machine) : 0;
}

}  // namespace tpulab
