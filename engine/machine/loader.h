// What the CPUs of a host do beside the devices: Python, and the loaders that make rows.
#pragma once

#include "engine/machine/machine.h"

namespace tpulab {

double host_cpus(const Machine& machine);
// How often as long as on a TPU VM's free core Python takes for a step: a stack that traces every
// step has a process for each device of the host, and they share its CPUs.
double slowness_of_python(const Machine& machine);
// That work and have their rows from one host.
int devices_of_host(const Machine& machine);
// Loaders at work for one device: `usual`, unless a script asks for a number or a host of so many
// CPUs, beyond which no more are at work. The training process loads where there is no other.
double loaders_at_work(const Machine& machine, double usual);
// Of one loader, for a row.
double row_seconds(const Machine& machine);
// Several devices have MpDeviceLoader, which sends batches in the background, as the loaders of
// other frameworks do; Lightning gives one device of PyTorch none [xla-lightning A4].
bool sends_ahead(const Machine& machine);
int batches_ahead(const Machine& machine);  // of a loader that does
// What it holds of a device's HBM beside the step's own, in batches.
int batches_kept_ready(const Machine& machine);

}  // namespace tpulab
