#include "engine/evidence/bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/text.h"
#include "engine/base/work.h"
#include "engine/evidence/point_words.h"
#include "engine/evidence/step_point.h"
#include "engine/forecast/single_kernel.h"
#include "engine/machine/own_generations.h"

namespace tpulab {

namespace {

std::string_view family_of(const TracedNetwork& network, bool joined) {
  if (network.family == "language models" && joined) return "language models on joined slices";
  if (!network.family.empty()) return network.family;
  const Input input = network.model.input;
  if (input == Input::image) return "image networks";
  if (input == Input::scene || input == Input::outlines) return "detectors";
  if (input == Input::volume) return "networks for volumes";
  return input == Input::numbers ? "perceptrons" : "small networks of sequences";
}

// Attention of whole blocks is walked block by block, else its rows are kept whole.
std::string_view class_of_attention(std::int64_t tokens, std::int64_t queries) {
  if (queries == 1) return "decoding";
  const Tracing blocks{.fused_attention = lane_count};
  return blocks.fuses(tokens, tokens) ? "attention" : "attention of whole rows";
}

std::string_view class_of_kernel(std::string_view word) {
  return word == "gemm" ? "products" : "other kernels";
}

// Errors of rounding and scaling come on top of those of the products.
constexpr std::string_view class_of_int8 = "products in int8";

std::string_view kernel_class(const MeasuredPoint& point) {
  const KernelKind* const kind = kernel_kind(point.workload);
  if (kind != nullptr && kind->order == "bytes") return "collectives";
  if (point.workload == "attention") {
    return class_of_attention(point.size("sequence"), point.size("queries"));
  }
  return class_of_kernel(point.workload);
}

std::string_view class_of(const ResolvedStep& step, bool joined) {
  const ForecastRequest& request = step.request;
  if (request.given) return "imported programs";
  if (request.quant == "int8") return class_of_int8;
  if (!request.network && names_kernel(request.model)) {
    const std::vector<std::string> words = split(request.model, '-');
    if (words.front() != "attention") return class_of_kernel(words.front());
    return class_of_attention(std::stoll(split(words.back(), 'x').at(1)), 0);
  }
  if (step.mesh.pipeline > 1) return "stages of layers";
  if (step.mesh.expert > 1) return "experts that devices share";
  if (step.mesh.context > 1) return "rows that devices share";
  if (request.network) return family_of(*request.network, joined);
  return family_of(workload_named(request.model).network, joined);
}

double widest_of(PointKind kind) {
  double widest = 0;
  for (const ErrorBand& row : error_bands) {
    if (row.kind == kind) widest = std::max(widest, row.width);
  }
  return widest;
}

ForecastBand band_of_family(std::string_view family, PointKind kind) {
  if (const ErrorBand* row = band_of_class(family)) {
    return {.width = row->width,
            .source = fmt::format("nine of ten held-out errors of {} points, {}", row->points,
                                  row->name)};
  }
  return {.width = widest_of(kind),
          .source = fmt::format("fewer than four measured {} of {}: the widest band of the others",
                                kind == PointKind::device ? "times" : "steps", family)};
}

// What is measured so is no further off than the band, to its own side.
void hold(ForecastBand& band, double error, std::string_view which) {
  const double longer = 1 / (1 + error) - 1;  // than estimated
  const double allowed = longer > 0 ? std::max(band.slower, band.width) : band.width;
  if (std::abs(longer) <= allowed) return;
  const double off = std::ceil(std::abs(longer) * 100) / 100;
  if (longer > 0 || band.slower == 0) band.slower = longer > 0 ? off : band.width;
  if (longer < 0) band.width = off;
  band.source += fmt::format("; {}: as {} took", longer > 0 ? "longer" : "shorter", which);
}

// Of the classes that have too few points for a band of their own.
const std::vector<const MeasuredPoint*>& few_of_a_class() {
  static const std::vector<const MeasuredPoint*> all = [] {
    std::vector<const MeasuredPoint*> few;
    for (const MeasuredPoint& point : shipped_points()) {
      if (point.kind != PointKind::step && point.kind != PointKind::with_eval) continue;
      if (!why_not_predicted(point).empty()) continue;
      if (band_of_class(class_of(point)) == nullptr) few.push_back(&point);
    }
    return few;
  }();
  return all;
}

void hold_few(ForecastBand& band, std::string_view family) {
  double least = 0;
  double most = 0;
  for (const MeasuredPoint* point : few_of_a_class()) {
    if (class_of(*point) != family) continue;
    const double error = error_of_time(*point).value_or(0);
    least = std::min(least, error);
    most = std::max(most, error);
  }
  hold(band, least, "one of them");
  hold(band, most, "one of them");
}

}  // namespace

const ErrorBand* band_of_class(std::string_view name) {
  return find_row(error_bands, name, &ErrorBand::name);
}

std::string_view class_of(const MeasuredPoint& point) {
  if (point.quant == "int8") return class_of_int8;
  if (!point.model) return kernel_class(point);
  return family_of(workload_named(point.workload).network, slice_named(point.hardware).joined > 1);
}

double band_width(const MeasuredPoint& point) {
  const ErrorBand* const row = band_of_class(class_of(point));
  return row != nullptr ? row->width : widest_of(point.kind);
}

ForecastBand band_of(const ResolvedStep& step, const Slice& slice) {
  const ForecastRequest& request = step.request;
  const bool kernel = !request.given && !request.network && names_kernel(request.model);
  const std::string_view family = class_of(step, slice.joined > 1);
  ForecastBand band = band_of_family(family, kernel ? PointKind::device : PointKind::step);
  band.nearest = kernel ? nearest_kernel(request, slice) : nearest_point(request, slice);
  if (band.nearest.error) hold(band, *band.nearest.error, "the nearest");
  if (!kernel) hold_few(band, family);
  const double usual = std::max(band.width, ordinary_delay);
  if (!kernel && stack_named(request.stack).effort == Effort::ordinary && band.slower < usual) {
    band.slower = usual;
    band.source +=
        fmt::format("; longer: nine of ten of {} runs with ordinary software", ordinary_points);
  }
  if (slice.generation->name.starts_with(own_mark)) {
    band.source += "; of built-in machines: yours was not measured";
  }
  return band;
}

}  // namespace tpulab
