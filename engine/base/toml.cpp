#include "engine/base/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tpulab {

namespace {

constexpr int deepest = 24;  // open brackets, or dots of one key

// Walks the text as far as it is well formed and counts what nests. toml++ builds one table inside
// the other for each dot of a key and takes them down recursively, without a limit of its own.
class Depth {
 public:
  explicit Depth(std::string_view text) : text_(text) {}

  // The line where the limit is passed.
  std::optional<std::size_t> line_too_deep() {
    while (at_ < text_.size()) {
      take();
      if (brackets_ > deepest || dots_ > deepest) return line_;
    }
    return std::nullopt;
  }

 private:
  void take() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return pass_string(c);
    if (c == '#') return pass_comment();
    ++at_;
    if (c == '.') ++dots_;
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
    if (c == '\n') ++line_;
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
  }

  void pass_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void pass_string(char quote) {
    const std::string three(3, quote);
    const bool long_one = text_.substr(at_).starts_with(three);
    at_ += long_one ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!long_one) return;  // not closed: the parser will say so
        ++line_;
      } else if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        ++at_;
      } else if (!long_one && c == quote) {
        ++at_;
        return;
      } else if (long_one && text_.substr(at_).starts_with(three)) {
        // Up to two quotes may stand before the closing ones.
        at_ = std::min(text_.find_first_not_of(quote, at_), at_ + 5);
        at_ = std::min(at_, text_.size());
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  int brackets_ = 0;
  int dots_ = 0;
};

Error error_at(const std::string& name, std::size_t line, std::string_view what) {
  return Error(fmt::format("{}:{}: {}", name, line, what));
}

}  // namespace

Error toml_error(const std::string& name, const toml::source_region& where, std::string_view what) {
  return error_at(name, where.begin.line, what);
}

toml::table parse_toml(std::string_view text, const std::string& name) {
  if (const auto line = Depth(text).line_too_deep()) {
    throw error_at(name, *line,
                   fmt::format("this nests deeper than {} levels; write it flatter", deepest));
  }
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw toml_error(name, error.source(),
                     fmt::format("{}; correct the TOML", error.description()));
  }
}

}  // namespace tpulab
