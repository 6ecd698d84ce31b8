#include "engine/evidence/nearest_point.h"

#include <fmt/format.h>

#include <algorithm>
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

struct Placed {
  const MeasuredPoint* point = nullptr;
  Slice slice;
};

// Smaller is nearer: the same generation first, then the size, then the stack.
double distance_of(const Placed& placed, const Forecast& forecast) {
  const auto& [measured, slice] = placed;
  const MeasuredPoint& point = *measured;
  const double sizes = static_cast<double>(slice.devices()) / forecast.slice.devices();
  double distance = std::abs(std::log2(sizes));
  if (slice.generation->name != forecast.slice.generation->name) distance += 100;
  const std::string& stack = forecast.request.stack;
  const bool framework = point.stack.starts_with(stack) || stack.starts_with(point.stack);
  if (point.stack != stack) distance += framework ? 1 : 10;
  return distance;
}

// Of models, in their order.
std::span<const Placed> points_of(const std::string& model) {
  using Points = std::map<std::string, std::vector<Placed>>;
  static const Points all = [] {
    Points found;
    for (const MeasuredPoint& point : shipped_points()) {
      if (!point.model) continue;
      found[usual_name(point.workload)].push_back({&point, slice_named(point.hardware)});
    }
    return found;
  }();
  const auto own = all.find(usual_name(model));
  return own == all.end() ? std::span<const Placed>() : std::span(own->second);
}

// What is left then is rows, tokens, pixels, the mesh and the number of devices.
bool differs_in_sizes(const Placed& placed, const Forecast& forecast) {
  const ForecastRequest there = request_of(*placed.point);
  const ForecastRequest& here = forecast.request;
  return placed.slice.generation->name == forecast.slice.generation->name &&
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
  const std::span<const Placed> points = points_of(forecast.request.model);
  if (points.empty()) return {};
  const auto distance = [&](const Placed& placed) { return distance_of(placed, forecast); };
  const Placed& placed = *std::ranges::min_element(points, {}, distance);
  const MeasuredPoint* nearest = placed.point;
  NearestPoint result{.id = nearest->id};
  if (!differs_in_sizes(placed, forecast)) return result;
  const std::optional<double> predicted = predicted_once(*nearest);
  if (!predicted) return result;
  result.error = error_of(*nearest, *predicted);
  result.found = fmt::format("{} {} measured there, {} estimated", number_text(nearest->value),
                             nearest->unit, number_text(*predicted));
  return result;
}

}  // namespace tpulab
