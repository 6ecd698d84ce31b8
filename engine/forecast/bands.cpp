#include "engine/forecast/bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/forecast/point_words.h"
#include "engine/forecast/single_kernel.h"

namespace tpulab {

namespace {

constexpr std::array<ErrorBand, 4> bands{{
    {"kernels", PointKind::device, 0.19, 294},
    {"language models", PointKind::step, 0.12, 31},
    {"language models on joined slices", PointKind::step, 0.14, 34},
    {"image networks", PointKind::step, 0.28, 4},
}};

// Smaller is nearer: the same generation first, then the size, then the stack.
double distance_of(const MeasuredPoint& point, const Forecast& forecast) {
  const Slice slice = slice_named(point.hardware);
  const double sizes = static_cast<double>(slice.devices()) / forecast.slice.devices();
  double distance = std::abs(std::log2(sizes));
  if (slice.generation->name != forecast.slice.generation->name) distance += 100;
  if (point.stack != forecast.request.stack) distance += 10;
  return distance;
}

// Names of one network agree, whatever their spelling.
bool same_model(const MeasuredPoint& point, const std::string& model) {
  const auto plain = [](std::string name) {
    for (const std::string_view extra : {".1-", "-lamb"}) {
      const auto at = name.find(extra);
      if (at != std::string::npos) name.replace(at, extra.size(), extra == ".1-" ? "-" : "");
    }
    return name;
  };
  return point.model && plain(point.workload) == plain(model);
}

std::string_view family_of(const TracedNetwork& network, bool joined) {
  if (network.large && joined) return "language models on joined slices";
  if (!network.family.empty()) return network.family;
  const Input input = network.model.input;
  if (input == Input::image) return "image networks";
  return input == Input::numbers ? "perceptrons" : "small networks of sequences";
}

std::string_view kernel_class(const MeasuredPoint& point) {
  const KernelKind* const kind = kernel_kind(point.workload);
  return kind != nullptr && kind->order == "bytes" ? "collectives" : "kernels";
}

std::string_view class_of(const Forecast& forecast) {
  const ForecastRequest& request = forecast.request;
  if (request.given) return "imported programs";
  if (!request.network && names_kernel(request.model)) return "kernels";
  if (request.network) return family_of(*request.network, forecast.slice.joined > 1);
  return family_of(workload_named(request.model).network, forecast.slice.joined > 1);
}

ForecastBand band_of_family(std::string_view family) {
  if (const ErrorBand* row = band_of_class(family)) {
    return {.width = row->width,
            .source = fmt::format("nine of ten held-out errors of {} points, {}", row->points,
                                  row->name)};
  }
  double widest = 0;
  for (const ErrorBand& row : bands) {
    if (row.kind == PointKind::step) widest = std::max(widest, row.width);
  }
  return {.width = widest,
          .source = fmt::format(
              "fewer than four measured steps of {}: the widest band of the others", family)};
}

}  // namespace

std::span<const ErrorBand> error_bands() { return bands; }

const ErrorBand* band_of_class(std::string_view name) {
  const auto* const row = std::ranges::find(bands, name, &ErrorBand::name);
  return row == bands.end() ? nullptr : row;
}

std::string_view class_of(const MeasuredPoint& point) {
  if (!point.model) return kernel_class(point);
  return family_of(workload_named(point.workload).network, slice_named(point.hardware).joined > 1);
}

ForecastBand band_of(const Forecast& forecast) {
  ForecastBand band = band_of_family(class_of(forecast));
  const MeasuredPoint* nearest = nullptr;
  double least = 0;
  for (const MeasuredPoint& point : shipped_points()) {
    if (!same_model(point, forecast.request.model)) continue;
    const double distance = distance_of(point, forecast);
    if (nearest == nullptr || distance < least) nearest = &point, least = distance;
  }
  if (nearest == nullptr) return band;
  band.nearest = nearest->id;
  band.distance = fmt::format("{} on {}, batch {}, {}", nearest->workload, nearest->hardware,
                              nearest->size("batch"), nearest->stack);
  return band;
}

}  // namespace tpulab
