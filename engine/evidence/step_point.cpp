#include "engine/evidence/step_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/evidence/kernel_points.h"
#include "engine/forecast/known_steps.h"
#include "engine/forecast/memory.h"
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

// Where its step was measured it had room, whatever memory says here.
struct Room {
  Generation generation;
  Machine machine;
  bool needed = false;

  Room(const ForecastRequest& request, const Machine& asked)
      : generation(asked.generation()), machine(asked) {
    needed = !memory_in_run(*known_step(request, asked), asked).fits();
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
    result.evaluation = evaluation_step(request, room.machine);
  }
  if (point.size("epochs") > 0) {
    // Of a whole run: a program that trains and one that evaluates.
    const StepWork& work = resolved->work;
    const double ops =
        work.traced_ops * work.share_compiled(result.machine.stack->loop_compiles_as);
    const double seconds =
        2 * in_seconds(compile_time(static_cast<int>(std::lround(ops)), result.machine));
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
  const auto seconds = [&](const SteadyStep& step) { return seconds_of(step, machine); };
  double step = seconds(point.step);
  if (point.late_share > 0) step = std::lerp(step, seconds(point.late), point.late_share);
  if (point.evaluations > 0) step += point.evaluations * seconds(point.evaluation);
  step += point.shared_norm + point.compiles;
  step += point.switches * (2 * stack.dispatch_seconds + stack.read_back_seconds);
  return point.rate ? point.per_second / step : point.per_second * step;
}

}  // namespace tpulab
