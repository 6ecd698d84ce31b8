// Numbers and words for people.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"

namespace tpulab {

// Three significant digits with the unit that fits: "12.4 us", "3.10 ms", "1.25 s", "3 min 05 s".
std::string text_of(Picoseconds time);
// Powers of 1024: "512 B", "3.1 GiB".
std::string text_of(Bytes bytes);
// Three significant digits with a decimal prefix: "18.4k", "1.13M".
std::string text_of_count(double count);
// At least three significant digits without an exponent: "0.0144", "86.7", "1,290".
std::string text_of_number(double value);
// What a ratio gains: "+35 %", "-0.4 %", from 1,000 % on "66.4 x".
std::string signed_percent(double ratio);
// A share of one, readable down to hundredths of a percent: "94 %", "4.2 %", "0.03 %", "<0.01 %",
// "0 %".
std::string text_of_share(double share);
// 1437 -> "1,437".
std::string text_with_commas(std::int64_t number);

// "1 step", "2 steps".
std::string count_with(std::int64_t count, std::string_view word);

// The number that the whole text is, as std::from_chars reads it: without a plus or spaces.
template <class Number, class... Base>
std::optional<Number> number_in(std::string_view text, Base... base) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number, base...);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lowered(std::string_view text);  // A to Z, whatever the locale
// With &, <, > and quotes as entities, for HTML and SVG.
std::string escaped_for_xml(std::string_view text);
std::string_view trimmed(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
// Those that single blanks part, in the text's own memory.
std::vector<std::string_view> words_in(std::string_view text);
bool has_word(std::string_view text, std::string_view word);  // as one of those

// The row whose `field` is `value`; nullptr: there is none.
template <std::ranges::borrowed_range Rows, class Value, class Field>
auto* find_row(Rows&& rows, const Value& value, Field field) {
  const auto row = std::ranges::find(rows, value, field);
  return row == std::ranges::end(rows) ? nullptr : &*row;
}

// The candidate with the smallest edit distance to `typed`, if close enough to be meant; else
// empty.
std::string nearest_name(std::string_view typed, std::span<const std::string> candidates);

// "did you mean NAME? ", or nothing.
std::string hint_of(std::string_view typed, std::span<const std::string> candidates);

}  // namespace tpulab
