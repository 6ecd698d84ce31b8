#include "tui/draw/canvas.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"

namespace tpulab {

namespace {

struct RoleRow {
  std::string_view name;
  char letter;  // in Canvas::roles()
};
constexpr std::array<RoleRow, role_count> role_rows{{
    {"text", '.'},    {"dim", 'd'},           {"title", 'T'},    {"border", 'b'},
    {"status", 's'},  {"status_strong", 'S'}, {"hint", 'h'},     {"prompt", 'p'},
    {"compute", 'c'}, {"collective", 'r'},    {"input", 'i'},    {"compile", 'K'},
    {"host", 'H'},    {"idle", 'o'},          {"fallback", 'F'}, {"good", 'g'},
    {"warning", 'w'}, {"error", 'e'},         {"curve", 'v'},    {"selection", 'x'},
}};

bool is_control(char32_t glyph) { return glyph < 0x20 || (glyph >= 0x7F && glyph < 0xA0); }

void cut_trailing(std::string& text, char filler) {
  const auto last = text.find_last_not_of(filler);
  text.resize(last == std::string::npos ? 0 : last + 1);
}

}  // namespace

std::string_view name_of(Role role) { return role_rows.at(static_cast<std::size_t>(role)).name; }

Canvas::Canvas(int rows, int columns)
    : rows_(std::max(0, rows)),
      columns_(std::max(0, columns)),
      cells_(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_)) {}

bool Canvas::inside(int row, int column) const {
  return row >= 0 && row < rows_ && column >= 0 && column < columns_;
}

Cell& Canvas::cell(int row, int column) {
  return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(column)];
}

const Cell& Canvas::at(int row, int column) const {
  expects(inside(row, column), "a cell is read inside the canvas");
  return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(column)];
}

std::span<const Cell> Canvas::row(int row) const {
  expects(row >= 0 && row < rows_, "a row is read inside the canvas");
  const auto width = static_cast<std::size_t>(columns_);
  return std::span(cells_).subspan(static_cast<std::size_t>(row) * width, width);
}

void Canvas::set(int row, int column, const Cell& new_cell) {
  Cell& old = cell(row, column);
  if (old.glyph == 0 && new_cell.glyph != 0 && column > 0) cell(row, column - 1).glyph = U' ';
  const bool next_is_half = column + 1 < columns_ && cell(row, column + 1).glyph == 0;
  old = new_cell;
  if (next_is_half) cell(row, column + 1).glyph = U' ';
}

void Canvas::put(int row, int column, char32_t glyph, Role role, bool bold, bool reverse) {
  if (!inside(row, column)) return;
  if (is_control(glyph)) glyph = U'\uFFFD';  // words are made printable before
  const int width = glyph_width(glyph);
  if (width == 0) return;  // a cell holds one glyph: combining marks are left out
  if (width == 2 && column + 1 >= columns_) glyph = U' ';
  set(row, column, {glyph, role, bold, reverse});
  if (width == 2 && column + 1 < columns_) set(row, column + 1, {0, role, bold, reverse});
}

int Canvas::write(int row, int column, std::string_view text, Role role, bool bold, int limit) {
  const int end = limit < 0 ? columns_ : std::min(columns_, column + limit);
  for (std::size_t at = 0; at < text.size();) {
    const char32_t glyph = next_character(text, at);
    const int width = glyph_width(glyph);
    if (column + width > end) break;
    put(row, column, glyph, role, bold);
    column += width;
  }
  return column;
}

void Canvas::paste(const Canvas& part, int row, int column) {
  for (int i = 0; i < part.rows(); ++i) {
    for (int j = 0; j < part.columns(); ++j) {
      const Cell& source = part.at(i, j);
      const bool half = source.glyph == 0;
      if (half && column + j > 0) continue;  // its first half wrote both
      put(row + i, column + j, half ? U' ' : source.glyph, source.role, source.bold,
          source.reverse);
      const int item = part.item_at(i, j);
      if (item >= 0) mark({row + i, column + j, 1, 1}, item);
    }
  }
}

void Canvas::mark(Rect area, int item) {
  items_.resize(cells_.size(), -1);
  const int last_row = std::min(rows_, area.row + area.rows);
  const int last_column = std::min(columns_, area.column + area.columns);
  for (int row = std::max(0, area.row); row < last_row; ++row) {
    for (int column = std::max(0, area.column); column < last_column; ++column) {
      items_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
             static_cast<std::size_t>(column)] = static_cast<std::int32_t>(item);
    }
  }
}

int Canvas::item_at(int row, int column) const {
  if (items_.empty() || !inside(row, column)) return -1;
  return items_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(column)];
}

std::string Canvas::text() const {
  std::string all;
  for (int row = 0; row < rows_; ++row) {
    std::string line;
    for (int column = 0; column < columns_; ++column) {
      const char32_t glyph = at(row, column).glyph;
      if (glyph != 0) append_utf8(line, glyph);
    }
    cut_trailing(line, ' ');
    all += line;
    if (row + 1 < rows_) all += '\n';
  }
  return all;
}

std::string Canvas::roles() const {
  std::string all;
  for (int row = 0; row < rows_; ++row) {
    std::string line;
    for (int column = 0; column < columns_; ++column) {
      line += role_rows[static_cast<std::size_t>(at(row, column).role)].letter;
    }
    cut_trailing(line, role_rows[0].letter);
    all += line;
    if (row + 1 < rows_) all += '\n';
  }
  return all;
}

}  // namespace tpulab
