#include "engine/formats/stablehlo/scanner.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab::stablehlo {

namespace {

bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '$'; }
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

char closing(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '<':
      return '>';
    default:
      return 0;
  }
}

}  // namespace

void Scanner::skip() {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

char Scanner::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Scanner::accept(std::string_view token) {
  skip();
  if (!text_.substr(at_).starts_with(token)) return false;
  at_ += token.size();
  return true;
}

bool Scanner::accept_word(std::string_view wanted) {
  if (!at_word(wanted)) return false;
  at_ += wanted.size();
  return true;
}

bool Scanner::at_word(std::string_view wanted) {
  skip();
  const std::size_t end = at_ + wanted.size();
  return text_.substr(at_).starts_with(wanted) && (end >= text_.size() || !in_word(text_[end]));
}

void Scanner::expect(std::string_view token, std::string_view where) {
  if (accept(token)) return;
  refuse(fmt::format("'{}' is missing {}", token, where));
}

std::string_view Scanner::word() {
  skip();
  const std::size_t from = at_;
  if (at_ < text_.size() && is_letter(text_[at_])) {
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
  }
  return since(from);
}

std::string_view Scanner::name() {
  if (at_ < text_.size() && text_[at_] == '"') return quoted();
  const std::size_t from = at_;
  while (at_ < text_.size() && (in_word(text_[at_]) || text_[at_] == '-')) ++at_;
  if (from == at_) refuse("a name is missing");
  return since(from);
}

void Scanner::skip_quoted() {
  const std::size_t from = at_++;
  while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
  if (at_ >= text_.size()) {
    at_ = from;
    refuse("a quoted text does not end");
  }
  ++at_;
}

std::string_view Scanner::quoted() {
  if (peek() != '"') refuse("a quoted text is missing");
  const std::size_t from = at_;
  skip_quoted();
  const std::string_view all = since(from);
  return all.substr(1, all.size() - 2);
}

std::string_view Scanner::balanced() {
  peek();
  const std::size_t from = at_;
  std::string open;
  do {
    const char c = peek();
    if (c == '"') {
      skip_quoted();
      continue;
    }
    if (c == 0 || open.size() > 1000) {
      at_ = from;
      refuse("a bracket is not closed");
    }
    if (closing(c) != 0) {
      open.push_back(closing(c));
    } else if (c == '-' && text_.substr(at_, 2) == "->") {
      ++at_;
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (open.empty() || open.back() != c) refuse(fmt::format("'{}' closes no bracket", c));
      open.pop_back();
    }
    ++at_;
  } while (!open.empty());
  return since(from);
}

std::string_view Scanner::value_in_dictionary() {
  peek();
  const std::size_t from = at_;
  for (char c = peek(); c != ',' && c != '}' && c != ')' && c != ']' && c != '>'; c = peek()) {
    if (c == 0) refuse("a list of attributes does not end");
    if (c == '"') {
      skip_quoted();
    } else if (closing(c) != 0) {
      balanced();
    } else {
      at_ += text_.substr(at_, 2) == "->" ? 2 : 1;
    }
  }
  std::string_view value = since(from);
  while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
  return value;
}

void Scanner::skip_atom() {
  const char c = peek();
  if (c == '"') return skip_quoted();
  if (closing(c) != 0) {
    balanced();
    return;
  }
  const std::size_t from = at_;
  if (c == '#' || c == '@' || c == '-' || c == '+') ++at_;
  while (at_ < text_.size() && (in_word(text_[at_]) || text_[at_] == '-' || text_[at_] == '+')) {
    if (text_.substr(at_, 2) == "->") break;
    ++at_;
  }
  if (from == at_) refuse(c == 0 ? "the text ends here" : fmt::format("'{}' is no value", c));
  if (at_ < text_.size() && text_[at_] == '<') balanced();
}

std::string_view Scanner::value() {
  peek();
  const std::size_t from = at_;
  skip_atom();
  // dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], contracting_dims = [1] x [0]
  while (text_[from] == '[') {
    const std::size_t end = at_;
    if (!(accept("x") || accept("->")) || peek() != '[') {
      at_ = end;
      break;
    }
    balanced();
  }
  return since(from);
}

int Scanner::line() {
  const std::size_t here = std::min(at_, text_.size());
  if (here < counted_) {
    counted_ = 0;
    line_ = 1;
  }
  const std::string_view passed = text_.substr(counted_, here - counted_);
  line_ += static_cast<int>(std::ranges::count(passed, '\n'));
  counted_ = here;
  return line_;
}

void Scanner::refuse(std::string_view what) {
  skip();
  throw Error(fmt::format("{} line {}: {}", file_, line(), what));
}

}  // namespace tpulab::stablehlo
