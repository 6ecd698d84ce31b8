// Ops that left the TPU: how often, how long, why.
#include <fmt/format.h>

#include <numeric>

#include "engine/base/text.h"
#include "tui/table.h"

namespace tpulab {

namespace {

Picoseconds total_of(const FallbackRow& row) { return row.download + row.cpu + row.upload; }

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  if (now.fallbacks.empty()) {
    canvas.write(0, 1, "none: every op so far ran on the TPU", Role::dim, false,
                 canvas.columns() - 1);
    return;
  }
  int widest = 13;
  for (const FallbackRow& row : now.fallbacks) widest = std::max(widest, display_width(row.op));
  // The parts drop out before their sum does.
  const std::vector<TableColumn> columns{
      {"op", std::min(widest, 25), false, 9},
      {"count", 7, true, 8},
      {"time", 8, true, 7},
      {"down", 8, true, 2},
      {"CPU", 8, true, 3},
      {"up", 8, true, 1},
      {"why", 12, false, 4},
  };
  std::vector<TableRow> rows;
  for (const FallbackRow& row : now.fallbacks) {
    rows.push_back({{row.op, text_with_commas(row.count), text_of(total_of(row)),
                     text_of(row.download), text_of(row.cpu), text_of(row.upload), row.why},
                    Role::fallback});
  }
  draw_table(canvas, {0, 0, canvas.rows(), canvas.columns()}, columns, rows, view.glyphs);
}

std::string caption(const Snapshot& now) {
  std::int64_t count = 0;
  Picoseconds time{};
  for (const FallbackRow& row : now.fallbacks) {
    count += row.count;
    time += total_of(row);
  }
  if (count == 0) return "0";
  return fmt::format("! {} in {} TPU time", text_with_commas(count), text_of(time));
}

}  // namespace

extern const Panel fallbacks_panel;
const Panel fallbacks_panel{"fallbacks", "CPU fallbacks", draw, caption};

}  // namespace tpulab
