// Ops that left the TPU: how often, how long, why.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/text.h"
#include "tui/table.h"
#include "tui/widgets.h"

namespace tpulab {

namespace {

// item(): the host reads a value; nothing is computed on the CPU.
constexpr std::string_view value_read = "aten::_local_scalar_dense";

Picoseconds total_of(const FallbackRow& row) { return row.download + row.cpu + row.upload; }

int widest_op(const Snapshot& now, int most) {
  int widest = 13;
  for (const FallbackRow& row : now.fallbacks) widest = std::max(widest, display_width(row.op));
  return std::min(widest, most);
}

std::vector<TableColumn> columns_with_parts(const Snapshot& now) {
  return {{"op", widest_op(now, 25), false, 9},
          {"count", 6, true, 8},
          {"down", 7, true, 7},
          {"CPU", 7, true, 7},
          {"up", 7, true, 7},
          {"why", 9, false, 4}};
}

std::vector<TableColumn> columns_with_sum(const Snapshot& now) {
  return {{"op", widest_op(now, 19), false, 9},
          {"count", 6, true, 8},
          {"time", 8, true, 7},
          {"why", 9, false, 4}};
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  if (now.fallbacks.empty()) {
    draw_note(canvas, "none: every op so far ran on the TPU");
    return;
  }
  // Where there is no room for the three parts of the time, their sum.
  const bool parts = canvas.columns() >= 66;
  const std::vector<TableColumn> columns = parts ? columns_with_parts(now) : columns_with_sum(now);
  std::vector<TableRow> rows;
  for (const FallbackRow& row : now.fallbacks) {
    std::vector<std::string> cells{row.op, text_with_commas(row.count)};
    if (parts) {
      for (const Picoseconds part : {row.download, row.cpu, row.upload}) {
        cells.push_back(text_of(part));
      }
    } else {
      cells.push_back(text_of(total_of(row)));
    }
    cells.push_back(row.why);
    rows.push_back({std::move(cells), row.op == value_read ? Role::text : Role::fallback});
  }
  draw_table(canvas, {0, 0, canvas.rows(), canvas.columns()}, columns, rows, view.glyphs);
}

std::string caption(const Snapshot& now) {
  std::int64_t ops = 0;
  std::int64_t reads = 0;
  Picoseconds time{};
  for (const FallbackRow& row : now.fallbacks) {
    (row.op == value_read ? reads : ops) += row.count;
    time += total_of(row);
  }
  if (ops + reads == 0) return "0";
  const std::string ops_text = ops > 0 ? fmt::format("! {}, ", count_with(ops, "op")) : "";
  return fmt::format("{}{}, {} TPU time", ops_text, count_with(reads, "read"), text_of(time));
}

}  // namespace

extern const Panel fallbacks_panel;
const Panel fallbacks_panel{"fallbacks", "CPU fallbacks", draw, caption};

}  // namespace tpulab
