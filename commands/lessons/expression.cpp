#include "commands/lessons/expression.h"

#include <fmt/format.h>

#include "commands/lessons/expression_parser.h"
#include "engine/base/error.h"

namespace tpulab {

namespace {

LessonValue combined(char operation, const LessonValue& a_value, const LessonValue& b_value) {
  const LessonNumber a = number_of(a_value);
  const LessonNumber b = number_of(b_value);
  if (operation == '+' || operation == '-') {
    if (a.unit != b.unit) {
      throw Error(
          fmt::format("{} and {} have different units", text_of(a_value), text_of(b_value)));
    }
    return LessonNumber{operation == '+' ? a.number + b.number : a.number - b.number, a.unit};
  }
  if (operation == '/') {
    if (b.number == 0) throw Error(fmt::format("{} is divided by 0", text_of(a_value)));
    const bool kept = a.unit != b.unit && is_plain(b.unit);
    return LessonNumber{a.number / b.number, kept ? a.unit : LessonUnit::none};
  }
  const LessonUnit unit = is_plain(a.unit) ? b.unit : is_plain(b.unit) ? a.unit : LessonUnit::none;
  return LessonNumber{a.number * b.number, unit};
}

}  // namespace

Expression parse_expression(std::string_view text) {
  ExpressionParser parser(text);
  Expression read = parser.expression();
  parser.end();
  return read;
}

LessonValue value_of(const Expression& expression, const FigureScope& scope) {
  std::vector<LessonValue> stack;
  for (const Expression::Part& part : expression.parts) {
    if (part.kind == 'v') {
      stack.push_back(part.value);
    } else if (part.kind == 'n') {
      const auto found = scope(part.name, part.choice);
      if (!found) throw Error(fmt::format("nothing has said '{}'", expression.text));
      stack.push_back(*found);
    } else {
      const LessonValue right = stack.back();
      stack.pop_back();
      stack.back() = combined(part.kind, stack.back(), right);
    }
  }
  return stack.back();
}

}  // namespace tpulab
