#include "engine/forecast/open_mesh.h"

#include <utility>

#include "engine/compiler/price_program.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/single_kernel.h"
#include "engine/forecast/step_program.h"

namespace tpulab {

namespace {

bool is_large(const ForecastRequest& request) {
  if (request.network) return request.network->large;
  const bool trains = request.given == nullptr && !names_kernel(request.model);
  return trains && workload_named(request.model).network.large;
}

bool has_choice(const ForecastRequest& request, const ResolvedStep& step) {
  const bool open = request.mesh.data == 0 && request.mesh.fsdp == 0;
  return open && step.mesh.fsdp == 1 && step.mesh.data > 1 && is_large(request);
}

Picoseconds device_time(const ResolvedStep& step, const Machine& machine) {
  std::vector<Kernel> kernels;
  kernels.reserve(step.kernels.size());
  for (const StepKernel& one : step.kernels) kernels.push_back(one.kernel);
  Program program = step_program(step, std::move(kernels), machine);
  program.alike = step.alike;
  return price(program, machine).time;
}

}  // namespace

ResolvedStep step_of_open_mesh(const ForecastRequest& request, const Machine& machine) {
  ResolvedStep replicas = resolved_step(request, machine);
  if (!has_choice(request, replicas)) return replicas;
  ResolvedStep shares = resolved_step(request, machine, Holds::shares);
  const bool fit = memory_in_run(replicas, machine).fits();
  if (fit != memory_in_run(shares, machine).fits()) return fit ? replicas : shares;
  return device_time(shares, machine) < device_time(replicas, machine) ? shares : replicas;
}

}  // namespace tpulab
