#include "engine/forecast/step_point.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

namespace {

// The value of a step of one second; times per step are proportional to it, rates to its inverse.
double value_of_one_second(const MeasuredPoint& point, const ForecastRequest& request,
                           const StepParts& parts, const Machine& machine) {
  const auto batch = static_cast<double>(request.batch);
  const double flops = 3 * static_cast<double>(parts.forward_flops.value);
  if (point.unit == "samples/s") return batch;
  if (point.unit == "tokens/s") return batch * static_cast<double>(parts.tokens_per_row);
  if (point.unit == "ms/step") return 1e3;
  if (point.unit == "s/epoch") return static_cast<double>(point.size("rows")) / batch;
  if (point.unit == "mfu") return flops / machine.generation().matrix_flops_per_second();
  return flops * machine.generation().devices_per_chip / 1e12;
}

}  // namespace

ForecastRequest request_of(const MeasuredPoint& point) {
  const auto part = [&](const char* name) { return static_cast<int>(point.size(name)); };
  return {.model = point.workload,
          .slice = point.hardware,
          .host = "pod-host",
          .stack = point.stack,
          .precision = point.precision == "f32" ? "32-true" : "bf16-mixed",
          .batch = point.size("batch"),
          .sequence = point.size("sequence"),
          .image = point.size("image"),
          .mesh = {.data = part("data"), .fsdp = part("fsdp"), .tensor = part("tensor")},
          .remat = remat_named(point.remat),
          .quant = point.quant};
}

std::string why_not_predicted(const MeasuredPoint& point) {
  if (!point.model) return {};
  try {
    workload_named(point.workload);
  } catch (const Error&) {
    return fmt::format("the model {} is not described", point.workload);
  }
  if (point.unit == "s/epoch" && point.size("rows") == 0) return "it does not say 'rows'";
  if (point.size("batch") == 0) return "it does not say 'batch'";
  return {};
}

StepPoint step_point(const MeasuredPoint& point) {
  const ForecastRequest request = request_of(point);
  const Machine machine = machine_of(request);
  const PricedStep priced = priced_step(request, machine);
  StepPoint result{.parts = priced.parts, .machine = machine};
  result.machine.devices.clear();
  result.rate = point.unit != "ms/step" && point.unit != "s/epoch";
  result.per_second = value_of_one_second(point, priced.request, priced.parts, machine);
  return result;
}

double predicted_step(const StepPoint& point, const StackRow& stack) {
  Machine machine = point.machine;
  machine.stack = &stack;
  const double step = step_seconds(point.parts, machine).step;
  return point.rate ? point.per_second / step : point.per_second * step;
}

}  // namespace tpulab
