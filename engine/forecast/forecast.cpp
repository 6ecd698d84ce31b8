#include "engine/forecast/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/base/error.h"
#include "engine/forecast/bands.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/step_time.h"
#include "engine/machine/names.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

// Compile times of one graph differ by this factor between machines and releases.
constexpr double compile_spread = 3;

void check_word(std::string_view what, const std::string& typed,
                std::initializer_list<const char*> words) {
  std::vector<std::string> names;
  for (const char* word : words) {
    if (typed == word) return;
    names.emplace_back(word);
  }
  throw unknown_name(what, typed, names);
}

void check(const ForecastRequest& request, const Machine& machine) {
  check_word("precision", request.precision, {"32-true", "bf16-mixed", "bf16-true"});
  check_word("matmul precision", request.matmul, {"default", "high", "highest"});
  check_word("quantisation", request.quant, {"none", "int8"});
  if (request.batch < 0) throw Error("a batch has at least one row; choose a positive number");
  if (request.quant == "int8" && machine.generation().int8_speed <= 1) {
    throw Error(fmt::format("{} multiplies int8 no faster than bf16; choose quant none",
                            machine.generation().public_name));
  }
}

int passes_of(const ForecastRequest& request) {
  if (compute_of(request) == DType::bf16 || request.matmul == "default") return 1;
  return request.matmul == "high" ? 3 : 6;
}

WorkOptions options_of(const ForecastRequest& request, const Mesh& mesh, const Machine& machine,
                       OptimizerKind optimizer) {
  const bool in_vmem = machine.generation().vmem_mib >= 32;
  const std::int64_t replicas = std::int64_t{mesh.slices} * mesh.data * mesh.fsdp;
  return {.batch = request.batch / replicas,
          .sequence = request.sequence,
          .image = request.image,
          .storage = storage_of(request),
          .compute = compute_of(request),
          .passes = passes_of(request),
          .optimizer = optimizer,
          .row_blocks = in_vmem ? RowBlocks::in_vmem : RowBlocks::in_hbm,
          .fused_attention = in_vmem && machine.stack->fused_attention > 0,
          .tensor = mesh.tensor,
          .update_shards = mesh.fsdp};
}

// Weights, gradients and optimizer state of replicas may take half of HBM; more is sharded.
bool needs_sharding(const Workload& workload, const ForecastRequest& request,
                    const Machine& machine, OptimizerKind optimizer) {
  if (!std::holds_alternative<DecoderSizes>(workload.sizes)) return false;
  const StepWork one = step_work(workload, {.batch = 1, .sequence = request.sequence});
  const int copies = 2 + state_count(optimizer);
  const Bytes state{one.parameters() * bytes_of(storage_of(request)) * copies};
  return state.value * 2 > machine.slice.hbm_per_device().value;
}

struct StepSeconds {
  double device = 0;
  double exposed = 0;  // collectives that nothing hides
  double hidden = 0;
  double host = 0;
  double step = 0;
};

StepSeconds step_seconds(const PassTimes& passes, const CollectiveTimes& collectives,
                         const HostTimes& host, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  StepSeconds times;
  const double program = machine.generation().program_seconds / stack.steps_per_dispatch;
  times.device = passes.total() / stack.kernel_efficiency + program;
  times.hidden = stack.collective_overlap * std::min(collectives.total(), times.device);
  times.exposed = collectives.total() - times.hidden;
  times.host = host.tracing + host.dispatch;
  times.step = std::max({times.device + times.exposed, times.host, host.input});
  return times;
}

std::vector<ForecastTerm> terms_of(const PassTimes& passes, const CollectiveTimes& collectives,
                                   const HostTimes& host, const StepSeconds& times,
                                   const Machine& machine) {
  std::vector<ForecastTerm> terms;
  const auto add = [&](const char* name, double seconds, bool exposed = true) {
    if (seconds > 0) terms.push_back({name, picoseconds_from_seconds(seconds), exposed});
  };
  const double slower = 1 / machine.stack->kernel_efficiency;
  add("forward", passes.forward * slower);
  add("forward again", passes.again * slower);
  add("backward", passes.backward * slower);
  add("update", passes.update * slower);
  const double all = collectives.total();
  const double open = all > 0 ? times.exposed / all : 0;
  struct Part {
    const char* exposed;
    const char* hidden;
    double seconds;
  };
  const std::array<Part, 5> parts{
      {{"all-gather of weights", "all-gather of weights, hidden", collectives.gather},
       {"reduce-scatter of gradients", "reduce-scatter of gradients, hidden", collectives.scatter},
       {"all-reduce of gradients", "all-reduce of gradients, hidden", collectives.reduce},
       {"all-reduce of activations", "all-reduce of activations, hidden", collectives.exchange},
       {"network between slices", "network between slices, hidden", collectives.network}}};
  for (const Part& part : parts) add(part.exposed, part.seconds * open);
  const double inside = times.device + times.exposed;
  add("start of the program", times.device - passes.total() * slower);
  if (times.step > inside) {
    add(times.host >= host.input ? "waiting for the host" : "waiting for input",
        times.step - inside);
  }
  for (const Part& part : parts) add(part.hidden, part.seconds * (1 - open), false);
  add("host tracing and loop, hidden", host.tracing, false);
  add("host dispatch, hidden", host.dispatch, false);
  add("input, hidden", host.input, false);
  return terms;
}

std::vector<ForecastBound> bounds_of(const PassTimes& passes, const CollectiveTimes& collectives,
                                     const HostTimes& host, const StepSeconds& times) {
  std::vector<ForecastBound> bounds{
      {"matrix unit", picoseconds_from_seconds(passes.matrix)},
      {"vector unit", picoseconds_from_seconds(passes.vector)},
      {"HBM", picoseconds_from_seconds(passes.hbm)},
      {"kernel starts", picoseconds_from_seconds(passes.overhead)},
      {"torus links", picoseconds_from_seconds(collectives.total() - collectives.network)},
      {"network between slices", picoseconds_from_seconds(collectives.network)},
      {"host", picoseconds_from_seconds(times.host)},
      {"input", picoseconds_from_seconds(host.input)}};
  std::ranges::sort(bounds, std::ranges::greater{}, &ForecastBound::time);
  return bounds;
}

void fill_rates(Forecast& result, const StepWork& step, const Machine& machine) {
  const double seconds = in_seconds(result.step);
  result.samples_per_second = static_cast<double>(result.request.batch) / seconds;
  result.tokens_per_second = result.samples_per_second * static_cast<double>(step.tokens_per_row);
  // A step has the forward pass and twice its products in the backward pass.
  const double flops = 3 * static_cast<double>(step.forward_flops().value);
  const double per_device = flops / seconds;
  result.tflops_per_chip = per_device * machine.generation().devices_per_chip / 1e12;
  result.mfu = per_device / machine.generation().matrix_flops_per_second();
}

}  // namespace

Machine machine_of(const ForecastRequest& request) {
  Machine machine{.slice = slice_named(request.slice),
                  .host = &host_named(request.host),
                  .stack = &stack_named(request.stack),
                  .devices = {}};
  machine.devices.resize(static_cast<std::size_t>(machine.slice.devices()));
  std::iota(machine.devices.begin(), machine.devices.end(), 0);
  return machine;
}

Forecast forecast_on(const ForecastRequest& request, const Machine& machine) {
  check(request, machine);
  Workload workload =
      request.sizes ? Workload{request.model, *request.sizes} : workload_named(request.model);
  Forecast result{.request = request, .slice = machine.slice};
  if (result.request.batch == 0) {
    const bool decoder = std::holds_alternative<DecoderSizes>(workload.sizes);
    result.request.batch = std::int64_t{machine.slice.devices()} * (decoder ? 1 : 32);
  }
  const OptimizerKind optimizer = request.optimizer.value_or(usual_optimizer(workload));
  result.request.optimizer = optimizer;
  result.mesh = resolved_mesh(request.mesh, machine.slice, result.request.batch,
                              needs_sharding(workload, request, machine, optimizer));
  result.request.mesh = result.mesh;
  const WorkOptions options = options_of(result.request, result.mesh, machine, optimizer);
  const StepWork step = step_work(workload, options);
  result.rows_per_replica = options.batch;
  result.parameters = step.parameters();
  const PassTimes passes = pass_times(step, result.request, machine);
  const CollectiveTimes collectives = collective_times(step, result.request, result.mesh, machine);
  const HostTimes host =
      host_times(step, result.request, machine, machine.slice.devices_per_host());
  const StepSeconds times = step_seconds(passes, collectives, host, machine);
  result.step = picoseconds_from_seconds(times.step);
  result.duty_cycle = (times.device + times.exposed) / times.step;
  result.terms = terms_of(passes, collectives, host, times, machine);
  result.bounds = bounds_of(passes, collectives, host, times);
  fill_rates(result, step, machine);
  result.memory = memory_of(step, result.request, result.mesh, machine.slice, optimizer);
  result.out_of_memory =
      out_of_memory_text(result.memory, step, result.request, result.mesh, result.rows_per_replica);
  const Picoseconds compile = compile_time(step.traced_ops, machine);
  result.compile_least = picoseconds_from_seconds(in_seconds(compile) / compile_spread);
  result.compile_most = picoseconds_from_seconds(in_seconds(compile) * compile_spread);
  return result;
}

Forecast forecast(const ForecastRequest& request) {
  Forecast result = forecast_on(request, machine_of(request));
  result.band = band_of(result);
  return result;
}

}  // namespace tpulab
