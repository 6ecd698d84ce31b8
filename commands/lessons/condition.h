// What a lesson holds true, and how close an answer must come.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "commands/lessons/expression.h"

namespace tpulab {

// "step < 3 ms", "bound has \"host\"", "a / b ~ 2 within 10 %".
struct Condition {
  Expression left;
  std::string compared;  // <, <=, >, >=, ==, !=, ~, has, is
  Expression right;
  double tolerance = 0;                // relative, of ~
  std::optional<LessonRange> range{};  // of an answer
  std::string text;
};

// Throw Error as parse_expression().
Condition parse_condition(std::string_view text);
Condition parse_answer(std::string_view text);  // "EXPRESSION [within SHARE] [from A to B]"

// Throws Error as value_of().
bool holds(const Condition& condition, const FigureScope& scope);

// Whether the answer comes close enough to the left side: a number within the tolerance (without a
// unit: milliseconds, and from 1 on per cent), of a text any part of at least three letters. Throws
// Error as value_of().
bool is_met_by(const Condition& condition, const LessonValue& answer, const FigureScope& scope);

// Why the number cannot be the answer, in its range; empty if it can.
std::string why_impossible(const Condition& condition, const std::string& typed);

// A number with its unit, or else the text itself.
LessonValue typed_value(std::string_view text);

}  // namespace tpulab
