#include "engine/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace tpulab {

namespace {

// Three significant digits, no exponent: 1.25, 12.4, 187.
std::string three_digits(double number) {
  const double size = std::abs(number);
  if (size >= 99.95) return fmt::format("{:.0f}", number);
  if (size >= 9.995) return fmt::format("{:.1f}", number);
  return fmt::format("{:.2f}", number);
}

// Letters to insert, remove or replace, or neighbours to swap (optimal string alignment).
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before;
  std::vector<int> above(b.size() + 1);
  std::iota(above.begin(), above.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<int> row{static_cast<int>(i) + 1};
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = above[j] + (a[i] == b[j] ? 0 : 1);
      int distance = std::min({replaced, row[j] + 1, above[j + 1] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
        distance = std::min(distance, before[j - 1] + 1);
      }
      row.push_back(distance);
    }
    before = std::exchange(above, std::move(row));
  }
  return above.back();
}

}  // namespace

std::string text_of(Picoseconds time) {
  const double seconds = in_seconds(time);
  const double size = std::abs(seconds);
  if (size >= 59.95) {
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  if (size >= 0.9995) return three_digits(seconds) + " s";
  if (size >= 0.9995e-3) return three_digits(seconds * 1e3) + " ms";
  if (size >= 0.9995e-6) return three_digits(seconds * 1e6) + " us";
  if (time.count() == 0) return "0 s";
  return three_digits(seconds * 1e9) + " ns";
}

std::string text_of(Bytes bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double amount = static_cast<double>(bytes.value);
  std::size_t unit = 0;
  while (amount >= 1023.95 && unit + 1 < units.size()) {
    amount /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes.value);
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string text_of_count(double count) {
  static constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  while (std::abs(count) >= 999.5 && prefix + 1 < prefixes.size()) {
    count /= 1000;
    ++prefix;
  }
  if (prefix == 0 && count == std::floor(count)) return fmt::format("{:.0f}", count);
  constexpr double little = 0.095;  // "0.00" would be none
  if (std::abs(count) < little) return text_of_number(count);
  return three_digits(count) + prefixes[prefix];
}

std::string signed_percent(double ratio) {
  const double percent = (ratio - 1) * 100;
  if (!std::isfinite(percent)) return "new";
  if (std::abs(percent) < 0.05) return "0 %";
  if (std::abs(percent) >= 1000) return text_of_number(ratio) + " x";
  const bool nearly_all = percent < -99 && ratio > 0;  // of which something is left
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 10 || nearly_all ? 1 : 0);
}

std::string text_of_number(double value) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const int decimals =
      std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 9);
  if (decimals == 0 && std::abs(value) < 1e15) return text_with_commas(std::llround(value));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string text_of_share(double share) {
  const double percent = share * 100;
  if (percent <= 0) return "0 %";
  if (percent < 0.005) return "<0.01 %";
  if (percent < 0.995) return fmt::format("{:.2f} %", percent);
  if (percent < 9.95) return fmt::format("{:.1f} %", percent);
  return fmt::format("{:.0f} %", percent);
}

std::string text_with_commas(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::int64_t first = number < 0 ? 1 : 0;
  for (auto at = static_cast<std::int64_t>(digits.size()) - 3; at > first; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string count_with(std::int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", text_with_commas(count), word, count == 1 ? "" : "s");
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return result;
}

std::string escaped_for_xml(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] != separator) continue;
    parts.emplace_back(text.substr(start, at - start));
    start = at + 1;
  }
  return parts;
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool has_word(std::string_view text, std::string_view word) {
  const std::vector<std::string_view> words = words_in(text);
  return std::ranges::find(words, word) != words.end();
}

std::string nearest_name(std::string_view as_typed, std::span<const std::string> candidates) {
  const std::string typed = lowered(as_typed);
  const std::string* best = nullptr;
  const auto size = static_cast<int>(typed.size());
  int best_distance = std::min(std::max(1, size / 3) + 1, size);  // not every letter another one
  for (const std::string& candidate : candidates) {
    // No fewer edits than the lengths differ: what is very long is like nothing, at once.
    const bool much_longer =
        typed.size() >= candidate.size() + static_cast<std::size_t>(best_distance);
    if (much_longer) continue;
    const std::string name = lowered(candidate);
    int distance = edit_distance(typed, name);
    if (typed.size() >= 2 && name.starts_with(typed)) distance = 0;
    if (distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best ? *best : std::string();
}

std::string hint_of(std::string_view typed, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(typed, candidates);
  return nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest);
}

}  // namespace tpulab
