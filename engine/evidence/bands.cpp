#include "engine/evidence/bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/work.h"
#include "engine/evidence/point_words.h"
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

// How far a band reaches to one side, and what makes it reach beyond its class.
struct Reach {
  double share = 0;
  std::string why{};

  void to(double further, std::string_view reason) {
    if (further <= share) return;
    share = std::ceil(further * 100) / 100;
    why = reason;
  }
};

struct Reaches {
  Reach longer;
  Reach shorter;

  // `error` is that of an estimated time.
  void hold(double error, std::string_view reason) {
    const double measured = 1 / (1 + error);  // of what is estimated
    longer.to(measured - 1, reason);
    shorter.to(1 - measured, reason);
  }
};

bool is_of(const MeasuredPoint& point, std::string_view family) {
  try {
    return class_of(point) == family;
  } catch (const Error&) {
    return false;  // it is not described
  }
}

// Errors of the measured steps of a class. Of software that is not tuned only where that is asked
// about. Worked out once.
std::vector<double> errors_in(std::string_view family, Effort asked) {
  using Key = std::pair<std::string, Effort>;
  static std::mutex mutex;
  static std::map<Key, std::vector<double>> known;
  const Key key{family, asked};
  const std::lock_guard lock(mutex);
  const auto [errors, fresh] = known.try_emplace(key);
  if (!fresh) return errors->second;
  for (const MeasuredPoint& point : shipped_points()) {
    if (!tells_steps(point.kind) || !is_of(point, family)) continue;
    if (stack_named(point.stack).effort == Effort::ordinary && asked != Effort::ordinary) continue;
    if (const auto error = error_of_time(point)) errors->second.push_back(*error);
  }
  return errors->second;
}

void widen(ForecastBand& band, const Reaches& reaches) {
  const auto& [longer, shorter] = reaches;
  if (longer.why.empty() && shorter.why.empty()) return;
  band.width = shorter.share;
  band.slower = longer.share;
  if (!longer.why.empty()) band.wider = "longer: " + longer.why;
  if (shorter.why.empty()) return;
  band.wider += fmt::format("{}shorter: {}", band.wider.empty() ? "" : "; ", shorter.why);
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
  Reaches reaches{.longer = {band.width}, .shorter = {band.width}};
  if (band.nearest.error && band.nearest.of_steps) {
    reaches.hold(*band.nearest.error, "as the nearest took");
  }
  const Effort effort = stack_named(request.stack).effort;
  if (!kernel && band_of_class(family) == nullptr) {
    for (const double error : errors_in(family, effort)) {
      reaches.hold(error, fmt::format("as a measured step of {} took", family));
    }
  }
  if (!kernel && effort == Effort::ordinary) {
    reaches.longer.to(ordinary_delay, fmt::format("nine of ten of {} runs with ordinary software",
                                                  ordinary_points));
  }
  widen(band, reaches);
  if (slice.generation->name.starts_with(own_mark)) {
    band.source += "; of built-in machines: yours was not measured";
  }
  return band;
}

}  // namespace tpulab
