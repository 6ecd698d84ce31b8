// The screen as a value: a grid of cells with a style role each. Panels draw on it, tests read it,
// terminal.cpp shows it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

enum class Glyphs : std::uint8_t { unicode, ascii };

// What a cell means; a theme turns it into colours. One meaning per colour in every pane.
enum class Role : std::uint8_t {
  text,
  dim,
  title,
  border,
  status,
  status_strong,
  hint,
  prompt,
  compute,
  collective,
  input,
  compile,
  host,
  idle,
  fallback,
  good,
  warning,
  error,
  curve,
  selection,
};
inline constexpr int role_count = 20;
std::string_view name_of(Role role);  // "status_strong", as themes spell it

struct Cell {
  char32_t glyph = U' ';
  Role role = Role::text;
  bool bold = false;
  bool reverse = false;
  bool operator==(const Cell&) const = default;
};

struct Rect {
  int row = 0;
  int column = 0;
  int rows = 0;
  int columns = 0;
};

class Canvas {
 public:
  Canvas() = default;
  Canvas(int rows, int columns);  // blank; a negative size counts as none

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  const Cell& at(int row, int column) const;
  std::span<const Cell> row(int row) const;
  // Writes outside the canvas are clipped; wide glyphs take two cells (the second holds glyph 0).
  void put(int row, int column, char32_t glyph, Role role, bool bold = false, bool reverse = false);
  // Writes UTF-8 text; returns the column after it. Invalid bytes show as '?'. Stops at `limit`
  // columns (-1: at the canvas edge).
  int write(int row, int column, std::string_view text, Role role, bool bold = false,
            int limit = -1);
  // A copy of the region, and pasting one back: panels draw on a canvas of their own size.
  void paste(const Canvas& part, int row, int column);
  // What can be chosen in a pane is numbered: `area` belongs to the item from now on.
  void mark(Rect area, int item);
  int item_at(int row, int column) const;  // -1: none
  // Rows joined by '\n', trailing blanks cut: what golden tests compare.
  std::string text() const;
  // Same grid, one letter per role: golden colours.
  std::string roles() const;

 private:
  Cell& cell(int row, int column);
  bool inside(int row, int column) const;
  // Sets one cell; the other half of a wide glyph that it cuts becomes blank.
  void set(int row, int column, const Cell& cell);

  int rows_ = 0;
  int columns_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::int32_t> items_;  // empty before the first mark
};

// Columns a glyph takes on the terminal: libc's wcwidth in a UTF-8 locale, whatever the program's
// locale is. Combining marks take 0; what cannot be shown is drawn as '?' and takes 1.
int glyph_width(char32_t glyph);
// Columns a text takes on the terminal.
int display_width(std::string_view utf8);
// Decodes one character at `at` and moves it on; invalid bytes answer U'?'.
char32_t next_character(std::string_view utf8, std::size_t& at);
void append_utf8(std::string& text, char32_t glyph);

}  // namespace tpulab
