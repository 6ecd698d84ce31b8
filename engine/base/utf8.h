// Bytes of text: which of them are whole UTF-8 characters, and what a terminal shows as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tpulab {

// Bytes of the character that starts at `at`, 1 to 4; 0 if none does: a broken one, an overlong
// form, a surrogate or a number above U+10FFFF [Unicode 15, table 3-7].
std::size_t character_size(std::string_view text, std::size_t at);

// The text with a '?' for each control character (also those of U+0080 to U+009F) and each byte
// that is not part of a character: nothing in it moves a cursor or ends a line.
std::string printable(std::string_view text);

}  // namespace tpulab
