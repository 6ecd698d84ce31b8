// What a lesson speaks of: a number with its unit, or a word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "engine/session/snapshot.h"

namespace tpulab {

enum class LessonUnit : std::uint8_t { none, seconds, share, bytes };

struct LessonNumber {
  double number = 0;
  LessonUnit unit = LessonUnit::none;
};
struct LessonRange {
  LessonNumber least;
  LessonNumber most;
};
using LessonValue = std::variant<LessonNumber, std::string>;

// Of a number that counts or compares: seconds times it are seconds.
constexpr bool is_plain(LessonUnit unit) {
  return unit == LessonUnit::none || unit == LessonUnit::share;
}
// Throws Error for a text.
const LessonNumber& number_of(const LessonValue& value);

// As the program shows it: "2.87 ms", "7.9 %", "19.1 MiB", "1,437", "host tracing, saves 92 % if
// free".
std::string text_of(const LessonValue& value);

// A field of a reply or an event; its name says the unit ("tpu_step_seconds"). An empty text for
// one without a value.
LessonValue value_of(const EventField& field);

// The factor and the unit of "ms", "%", "GiB", "k"; a factor of 0 for another word.
LessonNumber lesson_unit(std::string_view word);

}  // namespace tpulab
