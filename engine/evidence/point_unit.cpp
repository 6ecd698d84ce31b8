#include "engine/evidence/point_unit.h"

#include <array>
#include <cctype>
#include <vector>

#include "engine/base/text.h"
#include "engine/evidence/point_words.h"

namespace tpulab {

namespace {

struct Counted {
  std::string_view name;
  std::string_view others;
  Quantity quantity;
  double factor;
};

constexpr std::array<Counted, 20> counted{{
    {"s", "sec second seconds secs", Quantity::time, 1},
    {"ms", "msec millisecond milliseconds", Quantity::time, 1e3},
    {"us", "\xc2\xb5s \xce\xbcs usec microsecond microseconds", Quantity::time, 1e6},
    {"ns", "nsec nanosecond nanoseconds", Quantity::time, 1e9},
    {"min", "minute minutes mins", Quantity::time, 1.0 / 60},
    {"h", "hour hours hr", Quantity::time, 1.0 / 3600},
    {"clocks", "clock cycles cycle cyc clock_cycles", Quantity::clocks, 1},
    {"gb", "gbyte gbytes", Quantity::bytes, 1e-9},
    {"gib", "", Quantity::bytes, 1.0 / (1 << 30)},
    {"tb", "", Quantity::bytes, 1e-12},
    {"mb", "", Quantity::bytes, 1e-6},
    {"tflop", "tflops teraflops tops", Quantity::operations, 1e-12},
    {"gflop", "gflops", Quantity::operations, 1e-9},
    {"pflop", "pflops", Quantity::operations, 1e-15},
    {"samples",
     "sample images image img imgs seq seqs sequence sequences sentence sentences sent example "
     "examples ex row rows",
     Quantity::samples, 1},
    {"tokens", "token tok toks", Quantity::tokens, 1},
    {"ktokens", "ktok", Quantity::tokens, 1e-3},
    {"steps", "step it its iterations", Quantity::steps, 1},
    {"mfu", "", Quantity::mfu, 1},
    {"mfu%", "%mfu mfu_% %_mfu mfu_percent percent_mfu %", Quantity::mfu, 100},
}};

// "images per second" -> "images/second".
std::vector<std::string> parts_of(std::string_view typed) {
  std::string text = plain_word(trimmed(typed));
  for (auto at = text.find("_per_"); at != std::string::npos; at = text.find("_per_")) {
    text.replace(at, 5, "/");
  }
  std::vector<std::string> parts = split(text, '/');
  for (std::string& part : parts) {
    while (part.starts_with('_')) part.erase(0, 1);
    while (part.ends_with('_')) part.pop_back();
  }
  return parts;
}

const Counted* counted_named(std::string_view word) {
  return find_row(counted, true,
                  [&](const Counted& unit) { return is_word(word, unit.name, unit.others); });
}

}  // namespace

bool PointUnit::fits_a_kernel() const {
  if (epoch || per != Per::all) return false;
  return is_time() || quantity == Quantity::bytes || quantity == Quantity::operations;
}

bool PointUnit::fits_a_model() const {
  if (quantity == Quantity::operations) return per != Per::all;
  return quantity != Quantity::clocks && quantity != Quantity::bytes;
}

std::optional<PointUnit> unit_named(std::string_view typed) {
  const std::vector<std::string> parts = parts_of(typed);
  const Counted* const row = parts.empty() ? nullptr : counted_named(parts[0]);
  if (row == nullptr) return std::nullopt;
  PointUnit unit{.quantity = row->quantity, .factor = row->factor};
  bool a_second = false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    if (part == "chip") {
      unit.per = PointUnit::Per::chip;
    } else if (part == "core" || part == "device") {
      unit.per = PointUnit::Per::core;
    } else if (part == "epoch" && unit.is_time()) {
      unit.epoch = true;
    } else if (is_word(part, "s", "sec second seconds") && !unit.is_time()) {
      a_second = true;
    } else if (!unit.is_time() || !is_word(part, "step", "call iteration it")) {
      return std::nullopt;
    }
  }
  const bool rate =
      !unit.is_time() && unit.quantity != Quantity::mfu && unit.quantity != Quantity::operations;
  if (rate && !a_second) return std::nullopt;
  return unit;
}

std::string_view units_of_kernels() { return "clocks, ns, us, ms, s, GB/s, TFLOP/s"; }

std::string_view units_of_models() {
  return "samples/s, tokens/s (also /chip, /core), steps/s, ms/step, s/step, s/epoch, tflops/chip, "
         "mfu";
}

}  // namespace tpulab
