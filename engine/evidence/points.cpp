#include "engine/evidence/points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/evidence/point_file.h"
#include "engine/evidence/point_hardware.h"
#include "engine/evidence/point_words.h"
#include "engine/machine/machine.h"
#include "engine/training/workload.h"

namespace tpulab {

std::span<const EmbeddedFile> embedded_points();

namespace {

constexpr std::array<std::string_view, point_kinds> kind_names{
    "device", "host_timed", "step", "with_eval", "upper_bound", "input_bound"};

PointKind kind_of(const PointEntry& entry) {
  const std::string typed = entry.text("kind");
  const auto* const found = std::ranges::find(kind_names, plain_word(typed));
  if (found == kind_names.end()) {
    throw entry.error(fmt::format("has the unknown kind '{}'; there are: {}", typed,
                                  fmt::join(kind_names, ", ")));
  }
  return static_cast<PointKind>(found - kind_names.begin());
}

// The word of `key`, in this program's spelling; `usual` if the entry does not say it.
std::string choice_of(const PointEntry& entry, const char* key, const char* usual,
                      std::optional<std::string> (*spelled)(std::string_view),
                      const char* choices) {
  if (usual != nullptr && !entry.has(key)) return usual;
  const std::string typed = entry.word(key);
  if (const auto word = spelled(typed)) return *word;
  throw entry.error(fmt::format("has the unknown {} '{}'; choose {}", key, typed, choices));
}

PointUnit unit_of(const PointEntry& entry, const MeasuredPoint& point) {
  const auto unit = unit_named(point.unit);
  if (unit && (point.model ? unit->fits_a_model() : unit->fits_a_kernel())) return *unit;
  throw entry.error(fmt::format("has the unit '{}', which a {} does not have; there are: {}",
                                point.unit, point.model ? "model" : "kernel",
                                point.model ? units_of_models() : units_of_kernels()));
}

double noise_of(const PointEntry& entry) {
  const double noise = entry.has("noise") ? entry.number("noise") : 0;
  if (noise >= 0 && noise < 1) return noise;
  throw entry.error(
      fmt::format("has the noise {}; it is a share of the value, 0.05 for 5 %", noise));
}

// Bytes of a collective and rows of an epoch are counts, the others extents of arrays.
void check_sizes(const PointEntry& entry, const MeasuredPoint& point) {
  constexpr std::int64_t longest = 2'000'000'000;
  constexpr std::int64_t most = 1'000'000'000'000'000;
  constexpr double largest = 1e18;
  double elements = 1;
  for (const auto& [name, number] : point.sizes) {
    const bool counts = name == "bytes" || (name == "rows" && point.model);
    const std::int64_t limit = counts ? most : longest;
    if (number < 0 || number > limit) {
      throw entry.error(fmt::format("needs a '{}' from 0 to {}", name, text_with_commas(limit)));
    }
    if (number > 0) elements *= static_cast<double>(number);
  }
  if (!point.model && elements > largest) throw entry.error("has sizes that no array has together");
}

void check(const PointEntry& entry, const MeasuredPoint& point) {
  try {
    slice_named(point.hardware);
    stack_named(point.stack);
  } catch (const Error& error) {
    throw entry.error(fmt::format("is on unknown ground: {}", error.what()));
  }
  if (!(point.value > 0)) throw entry.error("needs a value above zero");
  check_sizes(entry, point);
  const std::int64_t devices = slice_named(point.hardware).devices();
  if (point.size("norm_cores") > devices) {
    throw entry.error(fmt::format("normalises over {} cores, and {} has {}",
                                  point.size("norm_cores"), point.hardware, devices));
  }
}

// shape = [8, 128] or "8x128", in the order of the kernel's numbers; the last ones if there are
// fewer.
void read_shape(const PointEntry& entry, const KernelKind& kind, MeasuredPoint& point) {
  const char* const key = entry.has("shape") ? "shape" : "shapes";
  if (kind.order.empty() || !entry.has(key)) return;
  std::vector<std::int64_t> numbers;
  if (const toml::array* array = entry.at(key).as_array()) {
    for (const toml::node& node : *array) numbers.push_back(whole_number(node).value_or(0));
  } else {
    for (const std::string& part : split(entry.text(key), 'x')) {
      const auto number = number_in<std::int64_t>(part);
      if (!number) throw entry.error(fmt::format("has a shape of {}, which is no number", part));
      numbers.push_back(*number);
    }
  }
  std::vector<std::string> names = split(kind.order, ' ');
  if (numbers.size() > names.size()) throw entry.error("has a shape of too many numbers");
  names.erase(names.begin(), names.end() - static_cast<std::ptrdiff_t>(numbers.size()));
  for (std::size_t i = 0; i < names.size(); ++i) point.sizes[names[i]] = numbers[i];
}

std::int64_t number_of(const PointEntry& entry, const KernelKind& kind, const ShapeKey& key,
                       const std::map<std::string, std::int64_t>& numbers) {
  const auto own = numbers.find(std::string(key.name));
  if (own != numbers.end()) return own->second;
  for (const auto& [name, number] : numbers) {
    if (is_word(name, key.name, key.others)) return number;
  }
  // What is there, and no whole number, is refused with its name.
  for (const std::string_view name : words_of(key.name, key.others)) {
    if (entry.has(name)) return entry.whole(name, 0);
  }
  if (key.usual != 0) return key.usual;
  throw entry.error(fmt::format("has no '{}', which a {} needs; add it", key.name, kind.name));
}

void read_kernel_sizes(const PointEntry& entry, MeasuredPoint& point) {
  const KernelKind* const kind = kernel_kind(point.workload);
  if (kind == nullptr) return;
  point.workload = kind->name;
  read_shape(entry, *kind, point);
  for (const ShapeKey& key : kind->keys) {
    const std::int64_t number = number_of(entry, *kind, key, point.sizes);
    if (number == -1) continue;
    if (number < 0 || (number == 0 && key.name != "padding")) {
      throw entry.error(fmt::format("needs a '{}' above zero", key.name));
    }
    point.sizes[std::string(key.name)] = number;
  }
}

void set_effort(const PointEntry& entry, MeasuredPoint& point) {
  const std::string word = choice_of(entry, "effort", nullptr, effort_word, "tuned or ordinary");
  try {
    point.stack = stack_of(point.stack, word == "tuned" ? Effort::tuned : Effort::ordinary).name;
  } catch (const Error& error) {
    throw entry.error(fmt::format("is on unknown ground: {}", error.what()));
  }
}

void read_where(const PointEntry& entry, MeasuredPoint& point) {
  const auto chips = point.size("chips");
  point.hardware = slice_word(entry.text("hardware"), chips, !point.model);
  point.cores = entry.has("cores") ? static_cast<int>(entry.whole("cores", 0)) : 0;
  const KernelKind* const kind = point.model ? nullptr : kernel_kind(point.workload);
  const bool alone = kind != nullptr && kind->order != "bytes";
  if (point.cores < 1 && alone) point.cores = 1;
  // Neither enters the estimate of a kernel on the device.
  const bool needed = point.model || point.kind == PointKind::host_timed;
  point.stack = needed || entry.has("stack") ? stack_word(entry.text("stack")) : "jax";
  if (entry.has("effort")) set_effort(entry, point);
  point.year = entry.has("year") ? static_cast<int>(entry.whole("year", 0)) : 0;
  point.source = entry.has("source") ? entry.text("source") : "not stated";
}

MeasuredPoint point_of(const PointEntry& entry) {
  entry.check_keys();
  MeasuredPoint point;
  point.id = entry.word("id");
  point.kind = kind_of(entry);
  point.model = entry.has("model");
  if (!point.model && !entry.has("kernel")) {
    throw entry.error("has neither a 'kernel' nor a 'model'; add one");
  }
  point.workload = entry.text(point.model ? "model" : "kernel");
  point.sizes = entry.whole_numbers();
  read_where(entry, point);
  point.precision =
      choice_of(entry, "precision", nullptr, precision_word, "f32, bf16 or bf16-true");
  point.remat = choice_of(entry, "remat", "none", remat_word, remat_choices);
  point.quant = choice_of(entry, "quant", "none", quant_word, "none or int8");
  point.optimizer =
      choice_of(entry, "optimizer", "auto", optimizer_word, "auto, sgd, adam, adamw or lamb");
  point.unit = entry.text("unit");
  point.value = entry.number("value");
  point.noise = noise_of(entry);
  if (point.model) {
    entry.at("batch");
  } else {
    read_kernel_sizes(entry, point);
  }
  point.measure = unit_of(entry, point);
  check(entry, point);
  return point;
}

}  // namespace

std::string_view name_of(PointKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::int64_t MeasuredPoint::size(std::string_view name) const {
  const auto found = sizes.find(std::string(name));
  return found == sizes.end() ? 0 : found->second;
}

std::vector<MeasuredPoint> parse_points(std::string_view text, const std::string& file) {
  std::vector<MeasuredPoint> points;
  for_each_entry(text, file, [&](const PointEntry& entry) { points.push_back(point_of(entry)); });
  return points;
}

std::vector<MeasuredPoint> read_points(const std::string& path) {
  if (path == "-") return parse_points(read_standard_input(), "standard input");
  return parse_points(read_file(path), path);
}

const std::vector<MeasuredPoint>& shipped_points() {
  static const std::vector<MeasuredPoint> points = points_in(embedded_points(), parse_points);
  return points;
}

}  // namespace tpulab
