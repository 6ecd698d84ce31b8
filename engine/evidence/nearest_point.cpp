#include "engine/evidence/nearest_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "engine/base/text.h"
#include "engine/evidence/kernel_points.h"
#include "engine/evidence/step_point.h"
#include "engine/forecast/single_kernel.h"
#include "engine/forecast/step_kernels.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

struct Placed {
  const MeasuredPoint* point = nullptr;
  Slice slice;
};

// Smaller is nearer: the same generation first, then the size, then the stack.
double distance_of(const Placed& placed, const ForecastRequest& asked, const Slice& on) {
  const auto& [measured, slice] = placed;
  const MeasuredPoint& point = *measured;
  const double sizes = static_cast<double>(slice.devices()) / on.devices();
  double distance = std::abs(std::log2(sizes));
  if (slice.generation->name != on.generation->name) distance += 100;
  const std::string& stack = asked.stack;
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
bool differs_in_sizes(const Placed& placed, const ForecastRequest& asked, const Slice& on) {
  const ForecastRequest there = request_of(*placed.point);
  return placed.slice.generation->name == on.generation->name && there.stack == asked.stack &&
         there.precision == asked.precision && asked.matmul == there.matmul &&
         there.quant == asked.quant && there.attention == asked.attention &&
         there.remat == asked.remat &&
         there.optimizer.value_or(*asked.optimizer) == *asked.optimizer;
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
  if (!point.model) {
    value = predicted_kernel(point, {generations().begin(), generations().end()});
  } else if (why_not_predicted(point).empty()) {
    value = predicted_step(step_point(point), stack_named(point.stack));
  }
  return known.emplace(point.id, value).first->second;
}

double error_of_time(const MeasuredPoint& point, double predicted) {
  const double error = error_of(point, predicted);
  return point.measure.is_time() ? error : 1 / (1 + error) - 1;
}

NearestPoint as_found(const MeasuredPoint& point, bool differs_in_sizes) {
  NearestPoint result{.id = point.id};
  const std::optional<double> predicted =
      differs_in_sizes ? predicted_once(point) : std::optional<double>();
  if (!predicted) return result;
  result.error = error_of_time(point, *predicted);
  result.of_steps = point.kind == PointKind::device || tells_steps(point.kind);
  result.found = fmt::format("{} {} measured there, {} estimated", number_text(point.value),
                             point.unit, number_text(*predicted));
  return result;
}

struct PlacedKernel {
  const MeasuredPoint* point = nullptr;
  std::vector<std::int64_t> sizes;
  const Generation* generation = nullptr;
  DType dtype{};
};

// Those that a name says, in their order.
std::span<const PlacedKernel> measured_kernels() {
  static const std::vector<PlacedKernel> all = [] {
    std::vector<PlacedKernel> found;
    for (const MeasuredPoint& point : shipped_points()) {
      const bool alone = point.kind == PointKind::device && !point.model;
      if (!alone || !why_kernel_not_predicted(point).empty()) continue;
      auto sizes = sizes_in_name(point);
      if (!sizes) continue;
      found.push_back({&point, std::move(*sizes), slice_named(point.hardware).generation,
                       point.precision == "f32" ? DType::f32 : DType::bf16});
    }
    return found;
  }();
  return all;
}

// Another kind of number or generation is further than any sizes, which count in doublings.
constexpr double other_than_sizes = 1000;

double distance_of(const PlacedKernel& there, std::span<const std::int64_t> here,
                   const ForecastRequest& asked, const Slice& on) {
  double distance = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    distance +=
        std::abs(std::log2(static_cast<double>(there.sizes[i]) / static_cast<double>(here[i])));
  }
  if (there.dtype != compute_of(asked)) distance += other_than_sizes;
  if (there.generation->name != on.generation->name) distance += 2 * other_than_sizes;
  return distance;
}

}  // namespace

NearestPoint nearest_kernel(const ForecastRequest& asked, const Slice& on) {
  const std::string_view kind = std::string_view(asked.model).substr(0, asked.model.find('-'));
  const std::vector<std::int64_t> here = kernel_sizes(asked.model);
  const PlacedKernel* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const PlacedKernel& one : measured_kernels()) {
    if (one.point->workload != kind) continue;
    const double distance = distance_of(one, here, asked, on);
    if (distance < least) nearest = &one, least = distance;
  }
  if (nearest == nullptr) return {};
  return as_found(*nearest->point,
                  least < other_than_sizes && asked.quant == "none" && asked.matmul == "default");
}

bool tells_steps(PointKind kind) { return kind == PointKind::step || kind == PointKind::with_eval; }

std::optional<double> error_of_time(const MeasuredPoint& point) {
  const std::optional<double> predicted = predicted_once(point);
  if (!predicted) return std::nullopt;
  return error_of_time(point, *predicted);
}

NearestPoint nearest_point(const ForecastRequest& asked, const Slice& on) {
  const std::span<const Placed> points = points_of(asked.model);
  if (points.empty()) return {};
  const auto distance = [&](const Placed& placed) { return distance_of(placed, asked, on); };
  const Placed& placed = *std::ranges::min_element(points, {}, distance);
  return as_found(*placed.point, differs_in_sizes(placed, asked, on));
}

}  // namespace tpulab
