// Reads expressions and conditions from left to right: each function reads what its name says and
// leaves the rest. All throw Error that says what was expected and what is there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "commands/lessons/expression.h"

namespace tpulab {

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text);

  Expression expression();
  std::string comparison();            // "<", "has", ...
  double tolerance();                  // of "within 10 %"; 0 without it
  std::optional<LessonRange> range();  // of "from 0 % to 100 %"
  LessonNumber literal();
  void end();

 private:
  [[noreturn]] void fail(std::string_view expected) const;
  void skip();
  bool take(char c);
  bool take(std::string_view word);
  void sum(Expression& read, int depth);
  void product(Expression& read, int depth);
  void single(Expression& read, int depth);
  std::string quoted();
  LessonNumber unit_behind(double number);
  void name(Expression::Part& part);
  void choose(FactChoice& choice, std::string_view text) const;

  std::string_view rest_;
  std::string_view all_;
};

}  // namespace tpulab
