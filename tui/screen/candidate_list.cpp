#include "tui/screen/candidate_list.h"

#include <algorithm>

#include "tui/draw/fit.h"

namespace tpulab {

namespace {

constexpr int readable_columns = 48;  // of a meaning
constexpr int most_name_columns = 30;

// A row of the list: the name of a group, or one of it.
struct Entry {
  const Candidate* candidate = nullptr;
  bool heads = false;
};

std::vector<Entry> entries_of(const std::vector<Candidate>& candidates) {
  std::vector<Entry> entries;
  const Candidate* before = nullptr;
  for (const Candidate& one : candidates) {
    const bool other = before == nullptr || before->group != one.group;
    if (other && !one.group.empty()) entries.push_back({&one, true});
    entries.push_back({&one, false});
    before = &one;
  }
  return entries;
}

// How the list lies: down the first column, then down the next one.
struct ListShape {
  int rows = 0;
  int across = 1;
  int cell = 0;   // columns of one
  int names = 0;  // of them, those of the name
  int pages(int entries) const { return (entries + rows * across - 1) / (rows * across); }
};

ListShape shape_of(const std::vector<Candidate>& candidates, int entries, int rows, int columns) {
  int widest = 1;
  bool meanings = false;
  for (const Candidate& one : candidates) {
    widest = std::max(widest, display_width(one.shown));
    meanings = meanings || !one.meaning.empty();
  }
  ListShape shape;
  shape.names = meanings ? std::min(widest, most_name_columns) : widest;
  const int wanted = meanings ? shape.names + readable_columns + 4 : widest + 3;
  shape.across = std::clamp(columns / wanted, 1, std::max(1, entries));
  shape.cell = meanings ? columns / shape.across : std::min(wanted, columns);
  shape.rows = std::min(rows, (entries + shape.across - 1) / shape.across);
  return shape;
}

void draw_entry(Canvas& canvas, Rect cell, const Entry& entry, int names, Glyphs glyphs) {
  const Candidate& one = *entry.candidate;
  if (entry.heads) {
    canvas.write(cell.row, cell.column, clipped(one.group, cell.columns, glyphs), Role::title);
    return;
  }
  const int left = cell.column + (one.group.empty() ? 0 : 1);
  const int room = cell.column + cell.columns - left;
  const std::string name = clipped(one.shown, std::min(names, room), glyphs);
  canvas.write(cell.row, left, name, Role::hint);
  if (one.meaning.empty() || room <= names + 4) return;
  canvas.write(cell.row, left + names + 2, clipped(one.meaning, room - names - 2, glyphs),
               Role::dim);
}

}  // namespace

int draw_candidates(const ScreenState& state, Canvas& canvas, int below) {
  const int most = std::min(std::max(1, canvas.rows() / 2), below);
  if (state.completions.empty() || canvas.columns() < 4 || most <= 0) return 0;
  const std::vector<Entry> entries = entries_of(state.completions);
  const auto count = static_cast<int>(entries.size());
  const ListShape shape = shape_of(state.completions, count, most, canvas.columns() - 1);
  const int pages = shape.pages(count);
  const int first = state.completion_page % pages * shape.rows * shape.across;
  const int top = below - shape.rows;
  for (int row = top; row < below; ++row) {
    for (int column = 0; column < canvas.columns(); ++column) {
      canvas.put(row, column, U' ', Role::text);
    }
  }
  const int end = std::min(count, first + shape.rows * shape.across);
  for (int i = first; i < end; ++i) {
    const int place = i - first;
    const Rect cell{top + place % shape.rows, 1 + place / shape.rows * shape.cell, 1,
                    shape.cell - 2};
    draw_entry(canvas, cell, entries[static_cast<std::size_t>(i)], shape.names, state.view.glyphs);
  }
  return pages;
}

}  // namespace tpulab
