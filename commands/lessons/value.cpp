#include "commands/lessons/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

struct UnitWord {
  std::string_view word;
  LessonNumber quantity;
};
constexpr std::array<UnitWord, 12> unit_words{{{"s", {1, LessonUnit::seconds}},
                                               {"ms", {1e-3, LessonUnit::seconds}},
                                               {"us", {1e-6, LessonUnit::seconds}},
                                               {"ns", {1e-9, LessonUnit::seconds}},
                                               {"%", {0.01, LessonUnit::share}},
                                               {"KiB", {1024, LessonUnit::bytes}},
                                               {"MiB", {1048576, LessonUnit::bytes}},
                                               {"GiB", {1073741824, LessonUnit::bytes}},
                                               {"k", {1e3, LessonUnit::none}},
                                               {"M", {1e6, LessonUnit::none}},
                                               {"G", {1e9, LessonUnit::none}},
                                               {"T", {1e12, LessonUnit::none}}}};

// Fields that are shares of one by their meaning.
constexpr std::array<std::string_view, 7> share_names{"duty_cycle",    "utilisation", "mfu", "band",
                                                      "compile_share", "difference",  "gain"};

LessonUnit unit_of(std::string_view name) {
  if (name.ends_with("seconds")) return LessonUnit::seconds;
  if (name.find("bytes") != std::string_view::npos) return LessonUnit::bytes;
  const bool share = std::ranges::find(share_names, name) != share_names.end();
  return share || name.ends_with("_gain") ? LessonUnit::share : LessonUnit::none;
}

std::string text_of_plain(double number) {
  constexpr double most = 1e15;
  const bool whole = number == std::floor(number) && std::abs(number) < most;
  if (whole) return text_with_commas(static_cast<std::int64_t>(number));
  return std::abs(number) >= 10'000 ? text_of_count(number) : text_of_number(number);
}

std::string text_of_positive(const LessonNumber& quantity) {
  // Picoseconds and bytes count in 63 bits.
  constexpr double most_seconds = 9e6;
  constexpr double most_bytes = 9e18;
  if (quantity.unit == LessonUnit::seconds && quantity.number > most_seconds) {
    return text_of_count(quantity.number) + " s";
  }
  if (quantity.unit == LessonUnit::bytes && quantity.number > most_bytes) {
    return text_of_count(quantity.number) + " B";
  }
  switch (quantity.unit) {
    case LessonUnit::seconds:
      return text_of(picoseconds_from_seconds(quantity.number));
    case LessonUnit::share:
      return text_of_share(quantity.number);
    case LessonUnit::bytes:
      return text_of(Bytes{static_cast<std::int64_t>(quantity.number)});
    case LessonUnit::none:
      break;
  }
  return text_of_plain(quantity.number);
}

}  // namespace

const LessonNumber& number_of(const LessonValue& value) {
  if (const auto* quantity = std::get_if<LessonNumber>(&value)) return *quantity;
  throw Error(fmt::format("'{}' is no number", std::get<std::string>(value)));
}

std::string text_of(const LessonValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto& quantity = std::get<LessonNumber>(value);
  if (!std::isfinite(quantity.number)) return "not known";
  if (quantity.number >= 0) return text_of_positive(quantity);
  return "-" + text_of_positive({-quantity.number, quantity.unit});
}

LessonValue value_of(const EventField& field) {
  if (const auto* whole = std::get_if<std::int64_t>(&field.value)) {
    return LessonNumber{static_cast<double>(*whole), unit_of(field.name)};
  }
  if (const auto* real = std::get_if<double>(&field.value)) {
    return LessonNumber{*real, unit_of(field.name)};
  }
  if (const auto* text = std::get_if<std::string>(&field.value)) return *text;
  return std::string();
}

LessonNumber lesson_unit(std::string_view word) {
  const auto found = std::ranges::find(unit_words, word, &UnitWord::word);
  return found == unit_words.end() ? LessonNumber{} : found->quantity;
}

}  // namespace tpulab
