#include "engine/gpus/gpu_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/evidence/point_file.h"
#include "engine/machine/machine.h"
#include "engine/training/models/models.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_gpu_points();

namespace {

double above_zero(const PointEntry& entry, double value) {
  if (value > 0) return value;
  throw entry.error("needs a value above zero");
}

TpuCounterpart counterpart_of(const PointEntry& entry, const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) throw entry.error("needs tables {slice, value, source} under 'boards'");
  const auto text = [&](const char* key) {
    if (const auto value = (*table)[key].value<std::string>()) return *value;
    throw entry.error(fmt::format("needs a text as '{}' of each 'boards'", key));
  };
  const auto value = (*table)["value"].value<double>();
  if (!value) throw entry.error("needs a number as 'value' of each 'boards'");
  return {.slice = slice_named(text("slice")).name,
          .value = above_zero(entry, *value),
          .point = (*table)["point"].value_or(""),
          .source = text("source")};
}

void read_counterparts(const PointEntry& entry, GpuPoint& point) {
  if (!entry.has("boards")) return;
  const toml::array* boards = entry.at("boards").as_array();
  if (boards == nullptr) throw entry.error("needs a list as 'boards'");
  for (const toml::node& board : *boards) point.boards.push_back(counterpart_of(entry, board));
}

void read_names(const PointEntry& entry, GpuPoint& point) {
  try {
    point.count = static_cast<int>(entry.whole("count", 1));
    point.gpu = gpus_named(fmt::format("{}x{}", entry.text("gpu"), point.count)).gpu->name;
    point.precision = gpu_precision_named(entry.text("precision"));
    read_counterparts(entry, point);
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (what.find("point '") != std::string_view::npos) throw;
    throw entry.error(fmt::format("is on unknown ground: {}", what));
  }
}

GpuPoint point_of(const PointEntry& entry) {
  GpuPoint point;
  point.id = entry.text("id");
  read_names(entry, point);
  point.link = entry.text("link");
  point.stack = entry.text("stack");
  point.year = static_cast<int>(entry.whole("year", 1));
  point.model = usual_name(entry.text("model"));
  point.batch = entry.whole("batch", 0);
  point.passes = entry.whole("passes", 1);
  point.sequence = entry.whole("sequence", 0);
  point.image = entry.whole("image", 0);
  point.rows = entry.whole("rows", 0);
  point.unit = entry.text("unit");
  point.value = above_zero(entry, entry.number("value"));
  point.noise = entry.number("noise");
  point.source = entry.text("source");
  if (point.unit != "samples/s" && point.unit != "s/run") {
    throw entry.error(
        fmt::format("has the unknown unit '{}'; there are: samples/s, s/run", point.unit));
  }
  return point;
}

}  // namespace

double GpuPoint::samples_per_second() const {
  return whole_run() ? static_cast<double>(rows) / value : value;
}

double GpuPoint::gpus_of(const TpuCounterpart& board) const {
  const double times = whole_run() ? value / board.value : board.value / value;
  return times * count;
}

std::string GpuPoint::words() const {
  const std::string_view chip = gpus_named(gpu).gpu->chip;
  const std::string figure =
      whole_run() ? fmt::format("a whole run in {}", text_of(picoseconds_from_seconds(value)))
                  : fmt::format("{} samples/s", text_of_count(value));
  return fmt::format("{}: {} x {}, {}, {} {}, {}, {} [{}]", id, count, chip, name_of(precision),
                     stack, year, link, figure, source);
}

std::vector<GpuPoint> parse_gpu_points(std::string_view text, const std::string& file) {
  std::vector<GpuPoint> points;
  for_each_entry(text, file, [&](const PointEntry& entry) { points.push_back(point_of(entry)); });
  return points;
}

const std::vector<GpuPoint>& shipped_gpu_points() {
  static const std::vector<GpuPoint> points = points_in(embedded_gpu_points(), parse_gpu_points);
  return points;
}

std::vector<PublishedRatio> published_ratios(const RatioQuestion& question) {
  const auto same = [&](const GpuPoint& point) {
    return point.model == question.model && point.precision == question.precision &&
           gpus_named(point.gpu).gpu->chip == question.gpu->chip &&
           (question.sequence == 0 || question.sequence == point.sequence) &&
           (question.image == 0 || question.image == point.image);
  };
  std::vector<PublishedRatio> ratios;
  for (const GpuPoint& point : shipped_gpu_points()) {
    if (!same(point)) continue;
    for (const TpuCounterpart& board : point.boards) {
      if (board.slice == question.slice) ratios.push_back({point.gpus_of(board), &point, &board});
    }
  }
  std::ranges::stable_sort(ratios, {}, [](const auto& one) { return one.point->whole_run(); });
  return ratios;
}

}  // namespace tpulab
