#include "engine/forecast/points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include "engine/base/embedded.h"
#include "engine/base/error.h"
#include "engine/machine/machine.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_points();

namespace {

constexpr std::array<std::string_view, point_kinds> kind_names{
    "device", "host_timed", "step", "with_eval", "upper_bound", "input_bound"};
constexpr std::array<std::string_view, 3> kernel_units{"clocks", "us", "ms"};
constexpr std::array<std::string_view, 6> model_units{"samples/s", "tokens/s",    "ms/step",
                                                      "s/epoch",   "tflops/chip", "mfu"};

// An entry of the file with its group and the file's defaults.
class Entry {
 public:
  Entry(const std::string& file, const toml::table& point, const toml::table& group,
        const toml::table* defaults)
      : file_(file), tables_{&point, &group, defaults} {}

  Error error(const std::string& what) const {
    return Error(fmt::format("{}:{}: point '{}' {}", file_, tables_[0]->source().begin.line,
                             (*tables_[0])["id"].value_or("?"), what));
  }
  const toml::node* find(std::string_view key) const {
    for (const toml::table* table : tables_) {
      if (table == nullptr) continue;
      if (const toml::node* node = table->get(key)) return node;
    }
    return nullptr;
  }
  const toml::node& at(std::string_view key) const {
    if (const toml::node* node = find(key)) return *node;
    throw error(fmt::format("has no '{}'; add it to the entry, its group or the defaults", key));
  }
  std::string text(std::string_view key) const {
    if (const auto value = at(key).value<std::string>()) return *value;
    throw error(fmt::format("needs a text as '{}'", key));
  }
  double number(std::string_view key) const {
    if (const auto value = at(key).value<double>()) return *value;
    throw error(fmt::format("needs a number as '{}'", key));
  }
  std::span<const toml::table* const> tables() const { return tables_; }

 private:
  const std::string& file_;
  std::array<const toml::table*, 3> tables_;
};

PointKind kind_of(const Entry& entry) {
  const std::string typed = entry.text("kind");
  const auto* const found = std::ranges::find(kind_names, typed);
  if (found == kind_names.end()) {
    throw entry.error(fmt::format("has the unknown kind '{}'; there are: {}", typed,
                                  fmt::join(kind_names, ", ")));
  }
  return static_cast<PointKind>(found - kind_names.begin());
}

// true: everything that the backward pass needs is computed again.
std::string remat_of(const Entry& entry) {
  const toml::node& node = entry.at("remat");
  if (const auto whole = node.value<bool>()) return *whole ? "full" : "none";
  const std::string word = entry.text("remat");
  if (word != "none" && word != "minimal" && word != "full") {
    throw entry.error(
        fmt::format("has the unknown remat '{}'; choose none, minimal or full", word));
  }
  return word;
}

void check_unit(const Entry& entry, const MeasuredPoint& point) {
  const auto offered = point.model ? std::span<const std::string_view>(model_units)
                                   : std::span<const std::string_view>(kernel_units);
  if (std::ranges::find(offered, point.unit) == offered.end()) {
    throw entry.error(fmt::format("has the unit '{}', which a {} does not have; there are: {}",
                                  point.unit, point.model ? "model" : "kernel",
                                  fmt::join(offered, ", ")));
  }
}

void check_names(const Entry& entry, const MeasuredPoint& point) {
  try {
    slice_named(point.hardware);
    stack_named(point.stack);
  } catch (const Error& error) {
    throw entry.error(fmt::format("is on unknown ground: {}", error.what()));
  }
  if (point.value <= 0) throw entry.error("needs a value above zero");
}

void read_sizes(const Entry& entry, MeasuredPoint& point) {
  for (auto table = entry.tables().rbegin(); table != entry.tables().rend(); ++table) {
    if (*table == nullptr) continue;
    for (const auto& [key, node] : **table) {
      if (node.is_integer()) point.sizes[std::string(key)] = *node.value<std::int64_t>();
    }
  }
}

MeasuredPoint point_of(const Entry& entry) {
  MeasuredPoint point;
  point.id = entry.text("id");
  point.kind = kind_of(entry);
  point.hardware = entry.text("hardware");
  point.cores = entry.find("cores") != nullptr ? static_cast<int>(entry.number("cores")) : 0;
  point.stack = entry.text("stack");
  point.year = static_cast<int>(entry.number("year"));
  point.model = entry.find("model") != nullptr;
  point.workload = entry.text(point.model ? "model" : "kernel");
  point.precision = entry.text("precision");
  point.remat = remat_of(entry);
  point.quant = entry.text("quant");
  point.unit = entry.text("unit");
  point.value = entry.number("value");
  point.noise = entry.number("noise");
  point.source = entry.text("source");
  entry.at("batch");
  read_sizes(entry, point);
  check_unit(entry, point);
  check_names(entry, point);
  return point;
}

const toml::array& array_at(const toml::table& table, const char* key, const std::string& file) {
  const toml::array* array = table[key].as_array();
  if (array != nullptr) return *array;
  throw Error(
      fmt::format("{}:{}: there is no list '{}'; a points file holds [[group]] tables with "
                  "points = [{{id = ...}}, ...]",
                  file, table.source().begin.line, key));
}

toml::table parsed(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}: {}; correct the TOML", file, error.source().begin.line,
                            error.description()));
  }
}

}  // namespace

std::string_view name_of(PointKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::int64_t MeasuredPoint::size(std::string_view name) const {
  const auto found = sizes.find(std::string(name));
  return found == sizes.end() ? 0 : found->second;
}

std::vector<MeasuredPoint> parse_points(std::string_view text, const std::string& file) {
  const toml::table table = parsed(text, file);
  const toml::table* defaults = table["defaults"].as_table();
  std::vector<MeasuredPoint> points;
  std::set<std::string> ids;
  for (const toml::node& node : array_at(table, "group", file)) {
    const toml::table* group = node.as_table();
    if (group == nullptr) throw Error(fmt::format("{}: a group is a table: [[group]]", file));
    for (const toml::node& row : array_at(*group, "points", file)) {
      const toml::table* point = row.as_table();
      if (point == nullptr) {
        throw Error(
            fmt::format("{}:{}: a point is a table: {{id = ...}}", file, row.source().begin.line));
      }
      const Entry entry(file, *point, *group, defaults);
      points.push_back(point_of(entry));
      if (!ids.insert(points.back().id).second) {
        throw entry.error("has an id that another point has; choose another");
      }
    }
  }
  return points;
}

std::vector<MeasuredPoint> read_points(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(fmt::format("cannot read points from '{}'; check the path", path));
  std::stringstream text;
  text << file.rdbuf();
  return parse_points(text.str(), path);
}

const std::vector<MeasuredPoint>& shipped_points() {
  static const std::vector<MeasuredPoint> points = [] {
    std::vector<MeasuredPoint> all;
    for (const EmbeddedFile& file : embedded_points()) {
      for (MeasuredPoint& point : parse_points(file.text, std::string(file.name))) {
        all.push_back(std::move(point));
      }
    }
    return all;
  }();
  return points;
}

}  // namespace tpulab
