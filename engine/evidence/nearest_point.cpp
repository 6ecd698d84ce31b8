#include "engine/evidence/nearest_point.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "engine/base/text.h"
#include "engine/evidence/kernel_points.h"
#include "engine/evidence/step_point.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

// Smaller is nearer: the same generation first, then the size, then the stack.
double distance_of(const MeasuredPoint& point, const Forecast& forecast) {
  const Slice slice = slice_named(point.hardware);
  const double sizes = static_cast<double>(slice.devices()) / forecast.slice.devices();
  double distance = std::abs(std::log2(sizes));
  if (slice.generation->name != forecast.slice.generation->name) distance += 100;
  const std::string& stack = forecast.request.stack;
  const bool framework = point.stack.starts_with(stack) || stack.starts_with(point.stack);
  if (point.stack != stack) distance += framework ? 1 : 10;
  return distance;
}

// Of models, in their order.
std::span<const MeasuredPoint* const> points_of(const std::string& model) {
  using Points = std::map<std::string, std::vector<const MeasuredPoint*>>;
  static const Points all = [] {
    Points found;
    for (const MeasuredPoint& point : shipped_points()) {
      if (point.model) found[usual_name(point.workload)].push_back(&point);
    }
    return found;
  }();
  const auto own = all.find(usual_name(model));
  return own == all.end() ? std::span<const MeasuredPoint* const>() : std::span(own->second);
}

// What is left then is rows, tokens, pixels, the mesh and the number of devices.
bool differs_in_sizes(const MeasuredPoint& point, const Forecast& forecast) {
  const ForecastRequest there = request_of(point);
  const ForecastRequest& here = forecast.request;
  return slice_named(point.hardware).generation->name == forecast.slice.generation->name &&
         there.stack == here.stack && there.precision == here.precision &&
         here.matmul == there.matmul && there.quant == here.quant && there.remat == here.remat &&
         there.optimizer.value_or(*here.optimizer) == *here.optimizer;
}

std::string number_text(double value) {
  constexpr double long_number = 1000;
  return value < long_number ? fmt::format("{:.3g}", value) : text_with_commas(std::llround(value));
}

// In the point's unit; none where it does not say enough. Worked out once.
std::optional<double> predicted_once(const MeasuredPoint& point) {
  static std::mutex mutex;
  static std::map<std::string, std::optional<double>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(point.id);
  if (found != known.end()) return found->second;
  std::optional<double> value;
  if (why_not_predicted(point).empty()) {
    value = predicted_step(step_point(point), stack_named(point.stack));
  }
  return known.emplace(point.id, value).first->second;
}

}  // namespace

NearestPoint nearest_point(const Forecast& forecast) {
  const MeasuredPoint* nearest = nullptr;
  double least = 0;
  for (const MeasuredPoint* const point : points_of(forecast.request.model)) {
    const double distance = distance_of(*point, forecast);
    if (nearest == nullptr || distance < least) nearest = point, least = distance;
  }
  if (nearest == nullptr) return {};
  NearestPoint result{.id = nearest->id};
  if (!differs_in_sizes(*nearest, forecast)) return result;
  const std::optional<double> predicted = predicted_once(*nearest);
  if (!predicted) return result;
  result.error = error_of(*nearest, *predicted);
  result.found = fmt::format("{} {} measured there, {} estimated", number_text(nearest->value),
                             nearest->unit, number_text(*predicted));
  return result;
}

}  // namespace tpulab
