#include "commands/lessons/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab {

namespace {

constexpr int deepest = 32;  // brackets inside brackets

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_of_name(char c) { return is_letter(c) || is_digit(c) || c == '.'; }
bool is_of_number(char c) { return is_digit(c) || c == '.' || c == ','; }

void push(Expression& read, char operation) {
  Expression::Part& part = read.parts.emplace_back();
  part.kind = operation;
}

}  // namespace

ExpressionParser::ExpressionParser(std::string_view text) : rest_(trimmed(text)), all_(rest_) {}

Expression ExpressionParser::expression() {
  Expression read;
  const std::string_view from = rest_;
  sum(read, 0);
  read.text = trimmed(from.substr(0, from.size() - rest_.size()));
  return read;
}

std::string ExpressionParser::comparison() {
  constexpr std::array<std::string_view, 9> all{"<=", ">=", "==", "!=", "<", ">", "~", "has", "is"};
  skip();
  for (const std::string_view one : all) {
    if (!rest_.starts_with(one)) continue;
    const bool word = is_letter(one.front());
    if (word && rest_.size() > one.size() && is_of_name(rest_[one.size()])) continue;
    rest_.remove_prefix(one.size());
    return std::string(one);
  }
  fail("one of < <= > >= == != ~ has is");
}

double ExpressionParser::tolerance() {
  if (!take("within")) return 0;
  const LessonNumber read = literal();
  if (!is_plain(read.unit) || read.number <= 0) fail("a share such as 10 % behind within");
  return read.number;
}

std::optional<LessonRange> ExpressionParser::range() {
  if (!take("from")) return std::nullopt;
  const LessonNumber least = literal();
  if (!take("to")) fail("to and a number");
  const LessonNumber most = literal();
  if (least.unit != most.unit || least.number >= most.number) {
    fail("from less to more in one unit before it");
  }
  return LessonRange{least, most};
}

void ExpressionParser::end() {
  skip();
  if (!rest_.empty()) fail("the end");
}

LessonNumber ExpressionParser::literal() {
  skip();
  const auto length =
      static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_of_number) - rest_.begin());
  std::string digits(rest_.substr(0, length));
  std::erase(digits, ',');
  const auto number = real_number(digits);
  if (!number) fail("a number");
  rest_.remove_prefix(length);
  return unit_behind(*number);
}

void ExpressionParser::fail(std::string_view expected) const {
  throw Error(fmt::format("'{}': expected {}, not {}", all_, expected,
                          rest_.empty() ? "the end" : fmt::format("'{}'", rest_)));
}

void ExpressionParser::skip() {
  while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) {
    rest_.remove_prefix(1);
  }
}

bool ExpressionParser::take(char c) {
  skip();
  if (rest_.empty() || rest_.front() != c) return false;
  rest_.remove_prefix(1);
  return true;
}

bool ExpressionParser::take(std::string_view word) {
  skip();
  if (!rest_.starts_with(word)) return false;
  rest_.remove_prefix(word.size());
  return true;
}

void ExpressionParser::sum(Expression& read, int depth) {
  product(read, depth);
  while (true) {
    const char operation = take('+') ? '+' : take('-') ? '-' : '\0';
    if (operation == '\0') return;
    product(read, depth);
    push(read, operation);
  }
}

void ExpressionParser::product(Expression& read, int depth) {
  single(read, depth);
  while (true) {
    const char operation = take('*') ? '*' : take('/') ? '/' : '\0';
    if (operation == '\0') return;
    single(read, depth);
    push(read, operation);
  }
}

void ExpressionParser::single(Expression& read, int depth) {
  skip();
  if (rest_.empty() || depth > deepest) fail("a number or a name");
  if (take('(')) {
    sum(read, depth + 1);
    if (!take(')')) fail(")");
  } else if (rest_.front() == '"') {
    Expression::Part& part = read.parts.emplace_back();
    part.kind = 'v';
    part.value = quoted();
  } else if (is_digit(rest_.front())) {
    Expression::Part& part = read.parts.emplace_back();
    part.kind = 'v';
    part.value = literal();
  } else if (is_letter(rest_.front())) {
    name(read.parts.emplace_back());
  } else {
    fail("a number or a name");
  }
}

std::string ExpressionParser::quoted() {
  const auto end = rest_.find('"', 1);
  if (end == std::string_view::npos) fail("a closing quote");
  std::string text(rest_.substr(1, end - 1));
  rest_.remove_prefix(end + 1);
  return text;
}

LessonNumber ExpressionParser::unit_behind(double number) {
  skip();
  std::size_t length = rest_.starts_with('%') ? 1 : 0;
  while (length < rest_.size() && is_letter(rest_[length])) ++length;
  const LessonNumber unit = lesson_unit(rest_.substr(0, length));
  if (unit.number == 0) return {number, LessonUnit::none};
  rest_.remove_prefix(length);
  return {number * unit.number, unit.unit};
}

void ExpressionParser::name(Expression::Part& part) {
  part.kind = 'n';
  const auto length =
      static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_of_name) - rest_.begin());
  part.name = rest_.substr(0, length);
  rest_.remove_prefix(length);
  if (!rest_.starts_with('[')) return;
  const auto end = rest_.find(']');
  if (end == std::string_view::npos) fail("a ] behind the row");
  choose(part.choice, rest_.substr(1, end - 1));
  rest_.remove_prefix(end + 1);
}

void ExpressionParser::choose(FactChoice& choice, std::string_view text) const {
  const auto equals = text.find('=');
  if (equals != std::string_view::npos) {
    choice.key = trimmed(text.substr(0, equals));
    choice.value = trimmed(text.substr(equals + 1));
    return;
  }
  const auto number = whole_number(text);
  if (!number || *number < 1 || *number > 100'000) fail("[KEY=VALUE] or a row's number");
  choice.number = static_cast<int>(*number);
}

}  // namespace tpulab
