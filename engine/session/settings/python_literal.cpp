#include "engine/session/settings/python_literal.h"

#include <algorithm>
#include <charconv>

#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr int deepest_nesting = 16;

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  std::optional<PythonLiteral> whole() {
    auto value = literal(0);
    skip_spaces();
    if (at_ != source_.size()) return std::nullopt;
    return value;
  }

 private:
  std::optional<PythonLiteral> literal(int depth) {
    skip_spaces();
    if (at_ == source_.size() || depth > deepest_nesting) return std::nullopt;
    const char first = source_[at_];
    if (first == '\'' || first == '"') return quoted(first);
    if (first == '[') return sequence(PythonLiteral::Kind::list, ']', depth);
    if (first == '(') return sequence(PythonLiteral::Kind::tuple, ')', depth);
    return word();
  }

  std::optional<PythonLiteral> quoted(char quote) {
    PythonLiteral value{.kind = PythonLiteral::Kind::text, .text = {}, .integer = {}, .items = {}};
    for (++at_; at_ < source_.size(); ++at_) {
      if (source_[at_] == quote) {
        ++at_;
        return value;
      }
      if (source_[at_] == '\\' && at_ + 1 < source_.size()) ++at_;
      value.text += source_[at_];
    }
    return std::nullopt;
  }

  std::optional<PythonLiteral> sequence(PythonLiteral::Kind kind, char close, int depth) {
    PythonLiteral value{.kind = kind, .text = {}, .integer = {}, .items = {}};
    bool comma = true;
    bool any_comma = false;
    ++at_;
    while (true) {
      skip_spaces();
      if (at_ == source_.size()) return std::nullopt;
      if (source_[at_] == close) break;
      if (!comma) return std::nullopt;
      auto item = literal(depth + 1);
      if (!item) return std::nullopt;
      value.items.push_back(std::move(*item));
      comma = skip(',');
      any_comma |= comma;
    }
    ++at_;
    // (1) is a number in brackets, (1,) a tuple.
    if (kind == PythonLiteral::Kind::tuple && value.items.size() == 1 && !any_comma) {
      return std::move(value.items.front());
    }
    return value;
  }

  std::optional<PythonLiteral> word() {
    const std::size_t start = at_;
    while (at_ < source_.size() &&
           std::string_view(" \t,)]").find(source_[at_]) == std::string::npos) {
      ++at_;
    }
    PythonLiteral value;
    value.text = std::string(source_.substr(start, at_ - start));
    if (value.text == "None") return value;
    if (value.text == "True" || value.text == "False") {
      value.kind = PythonLiteral::Kind::boolean;
      return value;
    }
    return number(std::move(value));
  }

  // Takes them out: one stands between two digits.
  static bool take_underscores(std::string& number) {
    const auto digit = [&](std::size_t at) { return at < number.size() && is_digit(number[at]); };
    for (std::size_t at = 0; at < number.size(); ++at) {
      if (number[at] == '_' && (at == 0 || !digit(at - 1) || !digit(at + 1))) return false;
    }
    std::erase(number, '_');
    return true;
  }

  static std::optional<PythonLiteral> number(PythonLiteral value) {
    if (!take_underscores(value.text)) return std::nullopt;
    std::string_view digits = value.text;
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
    const std::string_view unsigned_digits = digits.substr(digits.starts_with('-') ? 1 : 0);
    if (unsigned_digits.empty()) return std::nullopt;
    if (std::ranges::all_of(unsigned_digits, is_digit)) {
      value.kind = PythonLiteral::Kind::integer;
      std::int64_t number = 0;
      const auto end = digits.data() + digits.size();
      if (std::from_chars(digits.data(), end, number).ec == std::errc()) value.integer = number;
      return value;
    }
    double real = 0;
    const auto end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, real);
    const bool starts_like_a_number = unsigned_digits[0] == '.' || unsigned_digits[0] <= '9';
    if (result.ec != std::errc() || result.ptr != end || !starts_like_a_number) return std::nullopt;
    value.kind = PythonLiteral::Kind::real;
    return value;
  }

  void skip_spaces() {
    while (at_ < source_.size() && (source_[at_] == ' ' || source_[at_] == '\t')) ++at_;
  }

  bool skip(char wanted) {
    skip_spaces();
    if (at_ == source_.size() || source_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

std::string repr_of_items(const PythonLiteral& literal) {
  std::string text;
  for (const PythonLiteral& item : literal.items) {
    if (!text.empty()) text += ", ";
    text += repr(item);
  }
  return text;
}

}  // namespace

std::optional<PythonLiteral> parse_python(std::string_view source) {
  return Reader(source).whole();
}

std::string repr(std::string_view text) {
  const char quote =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"'
                                                                                            : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') result += '\\';
    result += c;
  }
  return result + quote;
}

std::string repr(const PythonLiteral& literal) {
  using Kind = PythonLiteral::Kind;
  switch (literal.kind) {
    case Kind::text:
      return repr(std::string_view(literal.text));
    case Kind::list:
      return "[" + repr_of_items(literal) + "]";
    case Kind::tuple:
      return "(" + repr_of_items(literal) + (literal.items.size() == 1 ? ",)" : ")");
    case Kind::integer:
      return literal.integer ? std::to_string(*literal.integer) : literal.text;
    default:
      return literal.text;
  }
}

std::string_view type_name(const PythonLiteral& literal) {
  using Kind = PythonLiteral::Kind;
  switch (literal.kind) {
    case Kind::none:
      return "NoneType";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::real:
      return "float";
    case Kind::text:
      return "str";
    case Kind::list:
      return "list";
    case Kind::tuple:
      return "tuple";
  }
  return "object";
}

}  // namespace tpulab
