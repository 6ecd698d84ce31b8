#include "engine/formats/log_prefix.h"

#include <algorithm>
#include <deque>

#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::size_t longest_prefix = 200;
constexpr std::size_t heads_looked_at = 64;  // more workers than print at once

// With 0 for each digit of a date or time: 2024-05-01T12:00:00,123, not those of rank0 or of an
// address.
std::string timeless(std::string_view text) {
  std::string plain(text);
  bool stamp = false;
  std::size_t end = 0;  // of the digits before
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    const auto joins = [&](std::size_t place, std::string_view joints) {
      return place < text.size() && joints.find(text[place]) != std::string_view::npos;
    };
    const bool goes_on = stamp && begin == end + 1 && joins(end, "-:/T.,");
    const bool begins = joins(at, "-:/") && at + 1 < text.size() && is_digit(text[at + 1]) &&
                        (begin == 0 || text[begin - 1] != '.');
    stamp = goes_on || begins;
    end = at;
    if (stamp) std::fill(plain.begin() + begin, plain.begin() + end, '0');
  }
  return plain;
}

// Where the samples of a metric or the value of a counter stand in a line.
std::size_t field_in(std::string_view line) {
  for (const std::string_view key : {"TotalSamples: ", "Value: "}) {
    const std::size_t at = line.find(key);
    if (at != line.npos && at + key.size() < line.size() && is_digit(line[at + key.size()])) {
      return at;
    }
  }
  return line.npos;
}

}  // namespace

bool has_report(std::string_view text) {
  return text.find("Metric: ") != text.npos || text.find("Counter: ") != text.npos;
}

LogPrefix::LogPrefix(std::string_view text) {
  std::deque<std::string_view> heads;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (has_report(line)) heads.push_back(line);
    if (heads.size() > heads_looked_at) heads.pop_front();
    const std::size_t field = field_in(line);
    if (field == line.npos) continue;
    const std::size_t end = line.substr(0, field).find_last_not_of(" \t");
    if (end == line.npos) return;  // it stands alone
    if (end >= longest_prefix) continue;
    prefix_ = timeless(line.substr(0, end + 1));
    const auto has_it = [&](std::string_view head) {
      const auto rest = behind(head);
      return rest && has_report(*rest);
    };
    if (std::ranges::any_of(heads, has_it)) return;
    prefix_.clear();
  }
}

std::optional<std::string_view> LogPrefix::behind(std::string_view line) const {
  if (prefix_.empty()) return line;
  if (timeless(line.substr(0, prefix_.size())) != prefix_) return std::nullopt;
  return line.substr(prefix_.size());
}

}  // namespace tpulab
