// Fitting text into columns: cut with an ellipsis, wrapped at words, padded to a fixed width.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tui/draw/canvas.h"

namespace tpulab {

// At most `columns` wide; ends in '…' (ASCII: "..") where something was cut.
std::string clipped(std::string_view text, int columns, Glyphs glyphs);
// The same, cut behind a whole word where there is one.
std::string clipped_at_word(std::string_view text, int columns, Glyphs glyphs);
// Without its last parts (split at ", ") until it fits; the first part, or one with commas in its
// brackets, clipped.
std::string in_whole_parts(std::string_view text, int columns, Glyphs glyphs);
// Broken at blanks, over-long words at the edge; lines after the first are indented. At least one
// line; `columns` below 1 count as 1.
std::vector<std::string> wrapped(std::string_view text, int columns, int indent = 0);
// Padded with blanks to at least `columns`: numbers right-aligned do not jitter.
std::string right_aligned(std::string_view text, int columns);
std::string left_aligned(std::string_view text, int columns);
// Where `sought` stands in the text from a place on, in small or capital letters alike; npos:
// nowhere.
std::size_t find_in(std::string_view text, std::string_view sought, std::size_t from = 0);

}  // namespace tpulab
