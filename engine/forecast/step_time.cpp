#include "engine/forecast/step_time.h"

#include <algorithm>
#include <cmath>

#include "engine/forecast/mesh.h"
#include "engine/machine/collective.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

class Pricer {
 public:
  Pricer(const ForecastRequest& request, const Machine& machine)
      : machine_(machine),
        product_speed_(request.quant == "int8" ? machine.generation().int8_speed : 1.0) {}

  // Seconds of one kernel; adds what each resource needs of `times` of it.
  double operator()(const NamedKernel& kernel, double times, PassTimes& sums) const {
    const Price priced = price(kernel.work, machine_);
    const double speed = kernel.product ? product_speed_ : 1.0;
    const double matrix = in_seconds(priced.matrix) / speed;
    const double vector = in_seconds(priced.vector);
    const double hbm = in_seconds(priced.hbm);
    const double overhead = in_seconds(priced.overhead + priced.exposed);
    sums.matrix += times * matrix;
    sums.vector += times * vector;
    sums.hbm += times * hbm;
    sums.overhead += times * overhead;
    return times * (overhead + std::max({matrix, vector, hbm, in_seconds(priced.blocks)}));
  }

 private:
  const Machine& machine_;
  double product_speed_;
};

bool runs_again(const NamedKernel& kernel, const Block& block, Remat remat) {
  if (remat == Remat::none || block.repeats == 1) return false;
  return remat == Remat::full || !kernel.product;
}

double seconds(CollectiveKind kind, double bytes, const Machine& group) {
  if (group.world() <= 1 || bytes <= 0) return 0;
  const CollectiveTime time = collective_time({kind, {static_cast<std::int64_t>(bytes)}}, group);
  return time.transfer + time.latency;
}

// Each chip holds its piece of the gradients after the reduction inside the slice. Pieces are
// exchanged by recursive doubling: as many rounds as the slices have doublings.
double network_seconds(double bytes, const Mesh& mesh, const Machine& machine) {
  if (mesh.slices <= 1) return 0;
  const Generation& generation = machine.generation();
  const double rounds = std::ceil(std::log2(mesh.slices));
  const double chips = static_cast<double>(machine.slice.chips) / mesh.slices;
  return rounds *
         (bytes / chips / generation.network_bytes_per_second + generation.network_seconds);
}

}  // namespace

DType storage_of(const ForecastRequest& request) {
  return request.precision == "bf16-true" ? DType::bf16 : DType::f32;
}

DType compute_of(const ForecastRequest& request) {
  return request.precision == "32-true" ? DType::f32 : DType::bf16;
}

PassTimes pass_times(const StepWork& step, const ForecastRequest& request, const Machine& machine) {
  const Pricer pricer(request, machine);
  PassTimes times;
  for (const Block& block : step.blocks) {
    const auto repeats = static_cast<double>(block.repeats);
    for (const NamedKernel& kernel : block.forward) {
      times.forward += pricer(kernel, repeats, times);
      if (runs_again(kernel, block, request.remat)) times.again += pricer(kernel, repeats, times);
    }
    for (const NamedKernel& kernel : block.backward) {
      times.backward += pricer(kernel, repeats, times);
    }
    for (const NamedKernel& kernel : block.update) times.update += pricer(kernel, repeats, times);
  }
  return times;
}

CollectiveTimes collective_times(const StepWork& step, const ForecastRequest& request,
                                 const Mesh& mesh, const Machine& machine) {
  const Machine tensor = group_machine(machine, mesh, MeshAxis::tensor);
  const Machine fsdp = group_machine(machine, mesh, MeshAxis::fsdp);
  const Machine data = group_machine(machine, mesh, MeshAxis::data);
  // Sharded weights travel as the products read them, gradients of replicas as they are stored.
  const double travelling = bytes_of(compute_of(request));
  const double stored = bytes_of(storage_of(request));
  const double gathers = 2;
  CollectiveTimes times;
  double parameters_here = 0;
  for (const Block& block : step.blocks) {
    const auto repeats = static_cast<double>(block.repeats);
    const auto weights = static_cast<double>(block.parameters_here);
    parameters_here += repeats * weights;
    times.gather +=
        gathers * repeats * seconds(CollectiveKind::all_gather, weights * travelling, fsdp);
    times.scatter += repeats * seconds(CollectiveKind::reduce_scatter, weights * travelling, fsdp);
    const double passes = request.remat == Remat::full ? 3 : 2;
    times.exchange +=
        passes * repeats * block.exchanges *
        seconds(CollectiveKind::all_reduce, static_cast<double>(block.exchanged.value), tensor);
  }
  times.reduce = seconds(CollectiveKind::all_reduce, parameters_here / mesh.fsdp * stored, data);
  times.network = network_seconds(parameters_here * mesh.tensor * stored, mesh, machine);
  return times;
}

HostTimes host_times(const StepWork& step, const ForecastRequest& request, const Machine& machine,
                     int devices_on_host) {
  const StackRow& stack = *machine.stack;
  const HostRow& host = *machine.host;
  const auto devices = static_cast<double>(devices_on_host);
  HostTimes times;
  times.tracing = stack.trace_seconds_per_op * step.traced_ops + stack.step_seconds;
  times.dispatch = stack.dispatch_seconds / stack.steps_per_dispatch;
  const auto rows = static_cast<double>(request.batch) / machine.slice.devices() * devices;
  times.input = rows / (host.rows_per_second_per_worker * host.cpus / 2) +
                in_seconds(host_transfer_time(step.batch, machine));
  return times;
}

StepSeconds step_seconds(const StepParts& parts, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  const double torus = parts.collectives.torus();
  StepSeconds times;
  const double program = machine.generation().program_seconds / stack.steps_per_dispatch;
  times.device = parts.passes.total() / stack.kernel_efficiency + program;
  times.network = parts.collectives.network / stack.network_share;
  times.hidden = stack.collective_overlap * std::min(torus, times.device);
  times.exposed = torus - times.hidden + times.network;
  times.host = parts.host.tracing + parts.host.dispatch;
  times.step = std::max({times.device + times.exposed, times.host, parts.host.input});
  return times;
}

}  // namespace tpulab
