#include "engine/evidence/step_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/error.h"
#include "engine/evidence/kernel_points.h"
#include "engine/forecast/known_steps.h"
#include "engine/forecast/memory.h"
#include "engine/forecast/timed_training.h"
#include "engine/machine/collective.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

std::string precision_of(const MeasuredPoint& point) {
  if (point.precision == "f32") return "32-true";
  return point.precision == "bf16-true" ? "bf16-true" : "bf16-mixed";
}

std::optional<OptimizerKind> optimizer_of(const MeasuredPoint& point) {
  if (point.optimizer == "auto") return std::nullopt;
  return optimizer_named(point.optimizer);
}

// Of all chips, in a step: samples, tokens, operations ...
double amount_of(const MeasuredPoint& point, const ResolvedStep& step, const Machine& machine) {
  const auto batch = static_cast<double>(step.request.batch);
  const double flops = 3 * static_cast<double>(step.forward_flops.value);
  switch (point.measure.quantity) {
    case Quantity::samples:
      return batch;
    case Quantity::tokens:
      return batch * static_cast<double>(step.work.tokens_per_row);
    case Quantity::steps:
      return 1;
    case Quantity::mfu:
      return flops / machine.generation().matrix_flops_per_second();
    case Quantity::operations:
      return flops * machine.slice.devices();
    default:
      return 1;
  }
}

// The value of a step of one second; times per step are proportional to it, rates to its inverse.
double value_of_one_second(const MeasuredPoint& point, const ResolvedStep& step,
                           const Machine& machine) {
  const PointUnit& unit = point.measure;
  double value = amount_of(point, step, machine) * unit.factor;
  if (unit.epoch) {
    value *= static_cast<double>(point.size("rows")) / static_cast<double>(step.request.batch);
  }
  if (unit.per == PointUnit::Per::chip) value /= machine.slice.chips;
  if (unit.per == PointUnit::Per::core) value /= machine.slice.devices();
  return value;
}

// Normalisation over the rows of several cores: one all-reduce of the sums and squares of each
// layer in either pass.
double shared_norm_seconds(const MeasuredPoint& point, const StepWork& work,
                           const Machine& machine) {
  const std::int64_t cores = point.size("norm_cores");
  if (cores <= 1) return 0;
  Machine group = machine;
  group.devices.resize(static_cast<std::size_t>(cores));
  double seconds = 0;
  for (const Block& block : work.blocks) {
    for (const std::int64_t channels : block.normalised) {
      const CollectiveTime time =
          collective_time({CollectiveKind::all_reduce, {2 * channels * 4}}, group);
      seconds += 2 * static_cast<double>(block.repeats) * (time.transfer + time.latency);
    }
  }
  return seconds;
}

// With the program that it has, or with none.
double seconds_of(const StepRecord& steady, const Machine& machine) {
  constexpr int pipelines_are_full = 16;
  Simulator simulator(machine, Detail::times);
  StepTimeline newest;
  for (int step = 0; step <= pipelines_are_full; ++step) simulator.step(steady, newest);
  return in_seconds(newest.duration());
}

StepRecord without_kernels(StepRecord record) {
  std::vector<Event> events = *record.events;
  for (Event& event : events) {
    if (event.program != nullptr) event.program = std::make_shared<const Program>();
  }
  record.events = std::make_shared<const std::vector<Event>>(std::move(events));
  return record;
}

// One that finds its program made.
StepRecord steady_record(const ForecastRequest& request, const Machine& machine) {
  constexpr int steps = 4;
  ProgramCache cache;
  Metrics metrics;
  TimedTraining training(machine, cache, metrics,
                         {.request = request,
                          .plan = {.max_steps = steps},
                          .habits = {.log_every_n_steps = steps + 1},
                          .detail = Detail::times});
  while (!training.done()) training.advance();
  return training.records().back();
}

SteadyStep priced(std::shared_ptr<const Program> program, const Machine& machine) {
  SteadyStep step{.kernels = kernel_prices(*program, machine)};
  for (std::size_t k = 0; k < program->kernels.size(); ++k) {
    if (program->kernels[k].collective && machine.slice.joined > 1)
      step.between_slices.push_back(k);
  }
  step.program = std::move(program);
  return step;
}

SteadyStep steady_step(const ForecastRequest& request, const Machine& machine) {
  const StepRecord steady = steady_record(request, machine);
  const auto dispatch = std::ranges::find(*steady.events, EventKind::dispatch, &Event::kind);
  expects(dispatch != steady.events->end(), "a step runs its program");
  SteadyStep step = priced(dispatch->program, machine);
  const double whole = seconds_of(steady, machine);
  step.others = seconds_of(without_kernels(steady), machine);
  if (whole > step.others) {
    step.handing = whole - in_seconds(in_program(step.kernels, *step.program, machine).time);
  }
  return step;
}

// Where its step was measured it had room, whatever memory says here.
struct Room {
  Generation generation;
  Machine machine;
  bool needed = false;

  Room(const ForecastRequest& request, const Machine& asked)
      : generation(asked.generation()), machine(asked) {
    needed = !memory_of(*known_step(request, asked), asked.slice).fits();
    if (!needed) return;
    generation.hbm_gib.value = generation.usable_hbm_gib.value = 1024 * 1024;
    machine.slice.generation = &generation;
  }
};

}  // namespace

ForecastRequest request_of(const MeasuredPoint& point) {
  const auto part = [&](const char* name) { return static_cast<int>(point.size(name)); };
  return {.model = point.workload,
          .slice = point.hardware,
          .host = "pod-host",
          .stack = point.stack,
          .precision = precision_of(point),
          .batch = point.size("batch"),
          .sequence = point.size("sequence"),
          .image = point.size("image"),
          .mesh = {.data = part("data"),
                   .fsdp = part("fsdp"),
                   .tensor = part("tensor"),
                   .expert = std::max(1, part("expert")),
                   .context = std::max(1, part("context"))},
          .remat = remat_named(point.remat),
          .loss_pieces = std::max<std::int64_t>(1, point.size("loss_pieces")),
          .quant = point.quant,
          .optimizer = optimizer_of(point)};
}

std::string why_not_predicted(const MeasuredPoint& point) {
  if (!point.model) return why_kernel_not_predicted(point);
  try {
    workload_named(point.workload);
  } catch (const Error&) {
    return fmt::format("the model {} is not described", point.workload);
  }
  if (point.size("narrow_state") > 0) {
    return "its gradients or moments are narrower than its weights, which is not emulated";
  }
  if (point.measure.epoch && point.size("rows") == 0) return "it does not say 'rows'";
  if (point.size("batch") == 0) return "it does not say 'batch'";
  try {
    step_point(point);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

StepPoint step_point(const MeasuredPoint& point) {
  ForecastRequest request = request_of(point);
  StepPoint result{.machine = machine_of(request)};
  const Room room(request, result.machine);
  const std::shared_ptr<const ResolvedStep> resolved = known_step(request, result.machine);
  result.fits = !room.needed;
  result.step = steady_step(request, room.machine);
  result.shared_norm = shared_norm_seconds(point, resolved->work, result.machine);
  const std::int64_t batch = resolved->request.batch;
  if (point.size("eval_every") > 0) {
    const auto rows = static_cast<double>(batch);
    result.switches = rows / static_cast<double>(point.size("eval_every"));
    result.evaluations =
        result.switches * std::ceil(static_cast<double>(point.size("eval_rows")) / rows);
    const auto programs = known_programs(request, room.machine);
    const ProgramKind evaluation{.part = ProgramKind::Part::evaluation, .rows = batch};
    result.evaluation = priced(programs->of(evaluation, room.machine), room.machine);
  }
  if (point.size("epochs") > 0) {
    // Of a whole run: a program that trains and one that evaluates.
    const double seconds = 2 * in_seconds(compile_time(resolved->work.traced_ops, result.machine));
    result.compiles = seconds * static_cast<double>(batch) /
                      static_cast<double>(point.size("epochs") * point.size("rows"));
  }
  if (point.size("late_percent") > 0) {
    request.sequence = point.size("late_sequence");
    result.late = steady_step(request, Room(request, result.machine).machine);
    result.late_share = static_cast<double>(point.size("late_percent")) / 100;
  }
  result.rate = !point.measure.is_time();
  result.per_second = value_of_one_second(point, *resolved, result.machine);
  return result;
}

double predicted_step(const StepPoint& point, const StackRow& stack) {
  Machine machine = point.machine;
  machine.stack = &stack;
  const auto seconds = [&](const SteadyStep& step) {
    std::vector<Price> kernels = step.kernels;
    for (const std::size_t k : step.between_slices) {
      kernels[k] = kernel_price(*step.program, k, machine);
    }
    const ProgramPrice priced = in_program(std::move(kernels), *step.program, machine);
    return std::max(in_seconds(priced.time) + step.handing, step.others);
  };
  double step = seconds(point.step);
  if (point.late_share > 0) step = std::lerp(step, seconds(point.late), point.late_share);
  if (point.evaluations > 0) step += point.evaluations * seconds(point.evaluation);
  step += point.shared_norm + point.compiles;
  step += point.switches * (2 * stack.dispatch_seconds + stack.read_back_seconds);
  return point.rate ? point.per_second / step : point.per_second * step;
}

}  // namespace tpulab
