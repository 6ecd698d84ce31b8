#include "commands/lessons/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/lessons/expression_parser.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr double rounding = 1e-9;

// Without a unit: milliseconds, and per cent.
double meant(const LessonNumber& given, LessonUnit asked) {
  if (given.unit != LessonUnit::none) return given.number;
  if (asked == LessonUnit::seconds) return given.number * 1e-3;
  return asked == LessonUnit::share && given.number >= 1 ? given.number / 100 : given.number;
}

}  // namespace

Condition parse_condition(std::string_view text) {
  ExpressionParser parser(text);
  Condition read;
  read.text = trimmed(text);
  read.left = parser.expression();
  read.compared = parser.comparison();
  read.right = parser.expression();
  read.tolerance = parser.tolerance();
  parser.end();
  if ((read.compared == "~") != (read.tolerance > 0)) {
    throw Error(fmt::format("'{}': ~ and within go together, as in a ~ 2 within 10 %", text));
  }
  return read;
}

Condition parse_answer(std::string_view text) {
  ExpressionParser parser(text);
  Condition read;
  read.text = trimmed(text);
  read.left = parser.expression();
  read.compared = "~";
  read.tolerance = parser.tolerance();
  read.range = parser.range();
  parser.end();
  return read;
}

bool is_met_by(const Condition& condition, const LessonValue& answer, const FigureScope& scope) {
  const LessonValue right = value_of(condition.left, scope);
  const auto* wanted = std::get_if<LessonNumber>(&right);
  const auto* given = std::get_if<LessonNumber>(&answer);
  if (wanted == nullptr) {
    const std::string typed = lowered(text_of(answer));
    return typed.size() >= 3 && lowered(text_of(right)).find(typed) != std::string::npos;
  }
  if (given == nullptr) return false;
  return std::abs(meant(*given, wanted->unit) - wanted->number) <=
         std::max(condition.tolerance, rounding) * std::abs(wanted->number);
}

std::string why_impossible(const Condition& condition, const std::string& typed) {
  const LessonValue answer = typed_value(typed);
  const auto* given = std::get_if<LessonNumber>(&answer);
  if (given == nullptr || !condition.range) return {};
  const auto& [least, most] = *condition.range;
  const double number = meant(*given, least.unit);
  const bool bare = least.unit == LessonUnit::share && given->unit == LessonUnit::none;
  if (bare && number > 0 && given->number < 1) {
    const std::string share = text_of(LessonNumber{number, LessonUnit::share});
    return fmt::format("{0} may be {1} or {0} %", typed, share);
  }
  const bool of_unit = given->unit == least.unit || is_plain(given->unit);
  if (of_unit && number >= least.number && number <= most.number) return {};
  return fmt::format("{} cannot be: it lies from {} to {}", typed, text_of(least), text_of(most));
}

bool holds(const Condition& condition, const FigureScope& scope) {
  const LessonValue left = value_of(condition.left, scope);
  const LessonValue right = value_of(condition.right, scope);
  if (condition.compared == "has") return text_of(left).find(text_of(right)) != std::string::npos;
  if (condition.compared == "is") return text_of(left) == text_of(right);
  const LessonNumber a = number_of(left);
  const LessonNumber b = number_of(right);
  if (!is_plain(a.unit) && !is_plain(b.unit) && a.unit != b.unit) {
    throw Error(fmt::format("{} and {} have different units", text_of(left), text_of(right)));
  }
  const double margin = rounding * std::max(std::abs(a.number), std::abs(b.number));
  const bool equal = std::abs(a.number - b.number) <= margin;
  if (condition.compared == "~")
    return std::abs(a.number - b.number) <= condition.tolerance * std::abs(b.number);
  if (condition.compared == "==") return equal;
  if (condition.compared == "!=") return !equal;
  if (condition.compared == "<=") return equal || a.number < b.number;
  if (condition.compared == ">=") return equal || a.number > b.number;
  return !equal && (condition.compared == "<" ? a.number < b.number : a.number > b.number);
}

LessonValue typed_value(std::string_view text) {
  try {
    ExpressionParser parser(text);
    const LessonNumber number = parser.literal();
    parser.end();
    return number;
  } catch (const Error&) {
    return std::string(trimmed(text));
  }
}

}  // namespace tpulab
