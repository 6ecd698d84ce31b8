#include "engine/forecast/bands.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/forecast/points.h"

namespace tpulab {

namespace {

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

}  // namespace

double held_out_width_of_steps() { return 0.17; }

ForecastBand band_of(const Forecast& forecast) {
  ForecastBand band{.width = held_out_width_of_steps(),
                    .source = "nine of ten steps left out of the fit"};
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
