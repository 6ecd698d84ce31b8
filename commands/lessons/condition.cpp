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
  double number = given->number;
  // Without a unit: milliseconds, and per cent.
  if (given->unit == LessonUnit::none && wanted->unit == LessonUnit::seconds) number *= 1e-3;
  if (given->unit == LessonUnit::none && wanted->unit == LessonUnit::share && number >= 1) {
    number /= 100;
  }
  return std::abs(number - wanted->number) <=
         std::max(condition.tolerance, rounding) * std::abs(wanted->number);
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
