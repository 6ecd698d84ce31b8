// The small parts that panels are made of: bars, sparklines, shares of time, frames. Each draws
// inside the cells it is given and has a 7-bit form.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/share.h"
#include "tui/draw/canvas.h"

namespace tpulab {

// How a share of time looks in every pane: colour and glyph say the same.
struct ShareLook {
  char32_t glyph;
  char ascii;
  Role role;
  std::string_view short_name;  // at most 12 columns
};
const ShareLook& look_of(Share share);
char32_t glyph_of(Share share, Glyphs glyphs);
// One cell of a bar or a lane. A letter is cut out of a full cell, so that bars are solid.
void put_share(Canvas& canvas, int row, int column, Share share, Glyphs glyphs, bool bold = false);

// The shares above zero, largest first.
std::vector<Share> largest_first(const Shares& shares);

// A bar of `columns` cells filled to `share` of one, in eighths of a cell; the rest is dotted.
void draw_bar(Canvas& canvas, int row, int column, int columns, double share, Role role,
              Glyphs glyphs);
// All of the time in `columns` cells, inside shares first, idle last. What runs inside a program
// stays visible as a thin line where it is less than half a cell.
void draw_share_bar(Canvas& canvas, int row, int column, int columns, const Shares& shares,
                    Glyphs glyphs);
// The same with the names of the shares in it where they fit: "HHHH host tracing 94 % HHHH".
// Words in a share of full cells are cut out of it, too.
void draw_named_share_bar(Canvas& canvas, int row, int column, int columns, const Shares& shares,
                          Glyphs glyphs);
// "█ compute 4.2 %  H host tracing 94 %", largest first, over as many rows of `area` as needed.
// Returns the rows used.
int draw_legend(Canvas& canvas, Rect area, const Shares& shares, Glyphs glyphs);

// Signs and short names alone, in one row: those that have no room are passed over.
void draw_key(Canvas& canvas, Rect row, const Shares& shares, Glyphs glyphs);

// The newest values that fit, one a cell, from 0 to `top`. A value above 0 is never blank.
void draw_sparkline(Canvas& canvas, int row, int column, int columns, std::span<const float> values,
                    double top, Role role, Glyphs glyphs);
// A round number at or above `value`: 1, 2 or 5 times a power of ten; 1 for nothing.
double round_top(double value);

// A frame around `area`, with words in its upper edge (left, right) and lower edge (right).
struct FrameWords {
  std::string_view title;
  std::string_view caption;  // parts at ", ": the last ones are left out where it is narrow
  std::string_view footer;
  bool alarm = false;    // the caption is a warning
  bool focused = false;  // keys act on it
};
void draw_frame(Canvas& canvas, Rect area, const FrameWords& words, Glyphs glyphs);
// "─ title ──────── caption ─": heads a pane where there is no room for a frame.
void draw_rule(Canvas& canvas, int row, int column, int columns, std::string_view title,
               std::string_view caption, Glyphs glyphs, bool alarm = false, bool focused = false);
// What an empty pane says: dim, wrapped.
void draw_note(Canvas& canvas, std::string_view words);

}  // namespace tpulab
