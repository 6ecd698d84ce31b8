// Bytes of text: which of them are whole UTF-8 characters, and what a terminal shows as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tpulab {

// Bytes of the character that starts at `at`, 1 to 4; 0 if none does: a broken one, an overlong
// form, a surrogate or a number above U+10FFFF [Unicode 15, table 3-7].
std::size_t character_size(std::string_view text, std::size_t at);

// Its number in Unicode. `character` is a whole one.
char32_t code_point(std::string_view character);
// A byte behind the first of a character.
inline bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The text with what a terminal would obey or hide made visible: a line end is ␤, a tab a blank,
// other control characters and marks of direction or of no width are <U+202E>, a byte that is not
// part of a character is <FF>. Nothing in it moves a cursor, ends a line or changes its order.
std::string printable(std::string_view text);

// Head and tail of a text that is longer than `most_bytes`, with the number of bytes left out; the
// head alone where that number has no room. At most so many bytes, so that doing it again changes
// nothing.
std::string shortened(std::string_view text, std::size_t most_bytes);
// Of a line that an error names.
inline constexpr std::size_t quoted_bytes = 60;

}  // namespace tpulab
