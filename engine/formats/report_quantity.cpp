#include "engine/formats/report_quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace tpulab {

namespace {

struct Suffix {
  std::string_view text;
  double scale;
};
// The longer before its beginning.
constexpr std::array<Suffix, 7> times{
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
constexpr std::array<Suffix, 6> sizes{
    {{"KB", 0x1p10}, {"MB", 0x1p20}, {"GB", 0x1p30}, {"TB", 0x1p40}, {"PB", 0x1p50}, {"B", 1}}};

// Takes the number that `text` begins with off it; none if there is none, or none that is finite.
std::optional<double> take_number(std::string_view& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return number;
}

template <std::size_t count>
const Suffix* suffix_of(std::string_view text, const std::array<Suffix, count>& all) {
  const auto found =
      std::ranges::find_if(all, [&](const Suffix& one) { return text.starts_with(one.text); });
  return found == all.end() ? nullptr : &*found;
}

struct Part {
  double count = 0;
  double scale = 0;
};

// Largest first; empty if the text is no time.
std::vector<Part> parts_of(std::string_view text) {
  std::vector<Part> parts;
  while (!text.empty()) {
    const auto count = take_number(text);
    const Suffix* suffix = count ? suffix_of(text, times) : nullptr;
    if (suffix == nullptr || *count < 0) return {};
    if (!parts.empty() && suffix->scale >= parts.back().scale) return {};
    text.remove_prefix(suffix->text.size());
    parts.push_back({*count, suffix->scale});
  }
  return parts;
}

// From the last part, which is printed as it is, up.
ReportQuantity time_of(const std::vector<Part>& parts, TimeParts as) {
  ReportQuantity time{.unit = MetricUnit::time, .value = parts.back().count * parts.back().scale};
  for (auto part = parts.rbegin() + 1; part != parts.rend(); ++part) {
    const bool half = time.value >= 0.5 * part->scale;
    const double less = half && as == TimeParts::rounded ? 1 : 0;
    const bool first = part + 1 == parts.rend();
    if (half && first && part->count <= 1) time.only_exact = true;
    time.value += std::max(part->count - less, 0.0) * part->scale;
  }
  return time;
}

}  // namespace

std::optional<ReportQuantity> read_quantity(std::string_view text, TimeParts parts) {
  if (text == "nanB" || text == "nan" || text == "-nan") {
    return ReportQuantity{.value = std::numeric_limits<double>::quiet_NaN()};
  }
  if (const std::vector<Part> read = parts_of(text); !read.empty()) return time_of(read, parts);
  const auto number = take_number(text);
  if (!number) return std::nullopt;
  if (text.empty()) return ReportQuantity{.value = *number};
  const Suffix* size = suffix_of(text, sizes);
  if (size == nullptr || size->text != text) return std::nullopt;
  return ReportQuantity{.unit = MetricUnit::bytes, .value = *number * size->scale};
}

}  // namespace tpulab
