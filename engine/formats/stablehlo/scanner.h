// Characters of an MLIR text: words, names, brackets. Knows its line; never reads past the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/text.h"

namespace tpulab::stablehlo {

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Scanner {
 public:
  // `file` is how errors call the text, `rows` what an open extent is read as; 0: it is refused.
  Scanner(std::string_view text, std::string_view file, std::int64_t rows = 0)
      : text_(text), file_(file), rows_(rows) {}

  // The next character behind blanks and comments; 0 at the end.
  char peek();
  bool at_end() { return peek() == 0; }
  // Takes the token if it comes next.
  bool accept(std::string_view token);
  // The same for a whole word: `loc` does not begin `location`.
  bool accept_word(std::string_view word);
  bool at_word(std::string_view word);
  // Throws Error naming the line, and `where` it was missing.
  void expect(std::string_view token, std::string_view where);

  // Letters, digits, _ . $; empty if none comes next.
  std::string_view word();
  // What follows % @ # or ^: as a word, and digits and - may begin it; @"in quotes" too.
  std::string_view name();
  // "text" -> text, as it stands.
  std::string_view quoted();
  // From an opening bracket to its partner, both included; quotes and -> inside are skipped.
  std::string_view balanced();
  // A value in a dictionary: up to the comma or the bracket that ends it.
  std::string_view value_in_dictionary();
  // A value beside others: [..], <..>, #a<..>, 1.5e3, dense<..>, a word; and [..] x [..] -> [..].
  std::string_view value();

  // What `?` is read as.
  std::int64_t open_extent() {
    open_ = true;
    return rows_;
  }
  bool open() const { return open_; }  // one came
  int line();
  std::size_t position() const { return at_; }
  std::string_view since(std::size_t from) const { return text_.substr(from, at_ - from); }
  [[noreturn]] void refuse(std::string_view what);

 private:
  void skip();
  void skip_quoted();
  void skip_atom();

  std::string_view text_;
  std::string_view file_;
  std::int64_t rows_ = 0;
  bool open_ = false;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;  // lines up to here are in line_
  int line_ = 1;
};

}  // namespace tpulab::stablehlo
