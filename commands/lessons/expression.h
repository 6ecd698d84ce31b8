// The small arithmetic of lessons: step[devices=1] / step, 2 ms, 92 %, "host tracing".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/lessons/facts.h"

namespace tpulab {

// The value behind a name; none if nothing has that name.
using FigureScope =
    std::function<std::optional<LessonValue>(const std::string& name, const FactChoice& choice)>;

struct Expression {
  struct Part {
    char kind = 0;  // v: a value, n: a name, else the operator
    LessonValue value{};
    std::string name{};
    FactChoice choice{};
  };
  std::vector<Part> parts;  // in the order in which they are worked out: 1 2 + for 1 + 2
  std::string text;
};

// Throws Error that says what was expected and what is there.
Expression parse_expression(std::string_view text);

// Throws Error for a name that `scope` does not have and for units that do not go together.
LessonValue value_of(const Expression& expression, const FigureScope& scope);

}  // namespace tpulab
