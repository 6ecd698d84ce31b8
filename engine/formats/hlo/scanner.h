// Characters of an HLO text: words, and what stands between balanced brackets and quotes. Never
// reads past the end.
#pragma once

#include <cstddef>
#include <string_view>

namespace tpulab::hlo {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end();  // behind blanks and comments
  char peek();    // 0 at the end
  // Takes the token if it comes next.
  bool accept(std::string_view token);
  void skip_one();
  // Up to one of these characters or a blank, none of them included.
  std::string_view until(std::string_view stops);
  // Up to a comma or the bracket that ends what it stands in; brackets and quotes are balanced. A
  // blank ends it too, unless a bracket follows: mesh['a'=4] {'a'}.
  std::string_view value();
  // From an opening bracket to its partner, both included; to the end if it has none.
  std::string_view balanced();

  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }
  std::string_view line();  // the rest of this line, which is taken

 private:
  void skip_blanks();
  void skip_quoted();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace tpulab::hlo
