#include "engine/formats/hlo/scanner.h"

#include <algorithm>

namespace tpulab::hlo {

namespace {

bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace

void Scanner::skip_blanks() {
  while (at_ < text_.size()) {
    if (blank(text_[at_])) {
      ++at_;
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t end = text_.find("*/", at_);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

bool Scanner::at_end() { return peek() == 0; }

char Scanner::peek() {
  skip_blanks();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Scanner::accept(std::string_view token) {
  skip_blanks();
  if (!text_.substr(at_).starts_with(token)) return false;
  at_ += token.size();
  return true;
}

void Scanner::skip_one() { at_ = std::min(at_ + 1, text_.size()); }

std::string_view Scanner::until(std::string_view stops) {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && !blank(text_[at_]) &&
         stops.find(text_[at_]) == std::string_view::npos) {
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

void Scanner::skip_quoted() {
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] == '\\') ++at_;
  }
  skip_one();
}

std::string_view Scanner::balanced() {
  skip_blanks();
  const std::size_t begin = at_;
  int depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      skip_quoted();
      continue;
    }
    if (opens(c)) ++depth;
    if (closes(c)) --depth;
    ++at_;
    if (depth == 0) break;
  }
  at_ = std::min(at_, text_.size());
  return text_.substr(begin, at_ - begin);
}

std::string_view Scanner::value() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ',' || closes(c) || c == '\n') break;
    if (c == '"') {
      skip_quoted();
    } else if (opens(c)) {
      balanced();
    } else if (c == ' ' && text_.substr(at_ + 1, 1) != "{") {
      break;
    } else {
      ++at_;
    }
  }
  at_ = std::min(at_, text_.size());
  return text_.substr(begin, at_ - begin);
}

std::string_view Scanner::line() {
  const std::size_t begin = at_;
  at_ = std::min(text_.find('\n', at_), text_.size());
  const std::string_view rest = text_.substr(begin, at_ - begin);
  skip_one();
  return rest;
}

}  // namespace tpulab::hlo
