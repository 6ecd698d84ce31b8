// How the output's lines look: their marks, and the rows they take in a pane.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tui/panels/panel.h"

namespace tpulab {

// The line behind the mark of its kind, which says without colour what the colour says.
std::string output_text(const OutputLine& line, Glyphs glyphs);
std::vector<std::string> output_texts(std::span<const OutputLine> lines, Glyphs glyphs);
Role output_role(OutputLine::Kind kind);

// The indentation of the rows that continue a line.
inline constexpr int output_indent = 2;

// Rows of all lines together; counting ends once it is above `enough`.
int output_rows(std::span<const OutputLine> lines, int columns, int enough, Glyphs glyphs);
// How many of the newest lines can be hidden: then the first one is at the top of the pane.
int furthest_output_scroll(std::span<const OutputLine> lines, int rows, int columns, Glyphs glyphs);

}  // namespace tpulab
