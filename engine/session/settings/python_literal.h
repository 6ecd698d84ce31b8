// A value as Python writes it: what devices= and the other arguments of Trainer(...) are given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct PythonLiteral {
  enum class Kind : std::uint8_t { none, boolean, integer, real, text, list, tuple };
  Kind kind = Kind::none;
  std::string text;                     // the digits, the word, or the text without its quotes
  std::optional<std::int64_t> integer;  // of an integer that 64 bits hold
  std::vector<PythonLiteral> items;     // of a list or a tuple

  bool sequence() const { return kind == Kind::list || kind == Kind::tuple; }
};

// Nothing if `source` is not one literal of the kinds above (a name, a call, an open bracket).
std::optional<PythonLiteral> parse_python(std::string_view source);
// As Python's repr() prints it: 'ddp', [1, 2], (1,), None.
std::string repr(const PythonLiteral& literal);
std::string repr(std::string_view text);  // of a str
// "int", "str", "bool", "NoneType", ...
std::string_view type_name(const PythonLiteral& literal);

}  // namespace tpulab
