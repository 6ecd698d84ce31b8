// Ops that left the TPU: how often, how long, why.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/text.h"
#include "tui/cores/core_views.h"
#include "tui/draw/fit.h"
#include "tui/draw/table.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"
#include "tui/timeline/event_lines.h"

namespace tpulab::fallbacks_panel {

namespace {

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

int items(const Snapshot& now, const ViewState& /*view*/) {
  return static_cast<int>(now.fallbacks.size());
}

std::size_t chosen(const Snapshot& now, const ViewState& view) {
  if (view.focused != "fallbacks" || view.chosen < 0) return 0;
  return std::min(static_cast<std::size_t>(view.chosen), now.fallbacks.size() - 1);
}

std::size_t first_shown(std::size_t rows, std::size_t chosen, int room) {
  const auto seen = static_cast<std::size_t>(std::max(1, room - (has_header(room) ? 1 : 0)));
  return rows <= seen || chosen < seen ? 0 : chosen - seen + 1;
}

bool says(std::span<const Cell> row, std::string_view text) {
  std::string shown;
  for (const Cell& cell : row) append_utf8(shown, cell.glyph);
  return shown.find(text) != std::string::npos;
}

// In the rows that a table of `shown` rows leaves: what its cells have cut.
void draw_reasons(const Snapshot& now, std::size_t first, int shown, Canvas& canvas,
                  Glyphs glyphs) {
  const int header = has_header(canvas.rows()) ? 1 : 0;
  int row = header + shown;
  if (canvas.rows() - row > 3) ++row;
  for (int i = 0; i < shown; ++i) {
    const FallbackRow& fallback = now.fallbacks[first + static_cast<std::size_t>(i)];
    if (says(canvas.row(header + i), fallback.why)) continue;
    const std::string text = fmt::format("{}: {}", fallback.op, fallback.why);
    const std::vector<std::string> lines = wrapped(text, canvas.columns(), 2);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (row >= canvas.rows()) return;
      const bool cut = row + 1 == canvas.rows() && k + 1 < lines.size();
      const std::string line = cut ? lines[k] + " " + std::string(trimmed(lines[k + 1])) : lines[k];
      canvas.mark({row, 0, 1, canvas.columns()}, static_cast<int>(first) + i);
      canvas.write(row++, 0, clipped_at_word(line, canvas.columns(), glyphs), Role::dim);
    }
  }
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
    rows.push_back({std::move(cells), only_reads(row) ? Role::text : Role::fallback});
  }
  const std::size_t first = first_shown(rows.size(), chosen(now, view), canvas.rows());
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
  const int header = has_header(canvas.rows()) ? 1 : 0;
  const int shown =
      draw_table(canvas, {0, 0, canvas.rows(), canvas.columns()}, columns, rows, view.glyphs);
  for (int i = 0; i < shown; ++i) {
    canvas.mark({header + i, 0, 1, canvas.columns()}, static_cast<int>(first) + i);
  }
  draw_reasons(now, first, shown, canvas, view.glyphs);
}

// Of a device's time, as the bars show it: with what the host did late because of them.
double waited_share(const Snapshot& now) {
  const Shares mean = mean_shares(now.cores);
  return mean[index_of(Share::cpu_fallback)] + mean[index_of(Share::read_back)];
}

Opened open(const Snapshot& now, const ViewState& view) {
  if (now.fallbacks.empty()) {
    return {"CPU fallbacks", {"None: every op so far ran on the TPU."}};
  }
  const FallbackRow& row = now.fallbacks[chosen(now, view)];
  std::vector<std::string> lines = fallback_lines(row);
  lines.insert(
      std::ranges::find(lines, ""),
      fmt::format("The devices waited {} of the last {} steps for all of these, and for what "
                  "the host did late because of them.",
                  text_of_share(waited_share(now)), now.run.recent_steps));
  return {row.op, std::move(lines)};
}

std::string caption(const Snapshot& now) {
  const auto [ops, reads] = counts_of(now.fallbacks);
  Picoseconds time{};
  for (const FallbackRow& row : now.fallbacks) time += total_of(row);
  if (ops + reads == 0) return "0";
  const std::string ops_text = ops > 0 ? fmt::format("! {}, ", count_with(ops, "op")) : "";
  // Most of the host's wait is for programs, and the devices do not wait then.
  return fmt::format("{}{}, host waits {} TPU, devices {}", ops_text, count_with(reads, "read"),
                     text_of(time), text_of_share(waited_share(now)));
}

}  // namespace

extern const Panel row;
const Panel row{"fallbacks", "CPU fallbacks", draw, caption, items, open};

}  // namespace tpulab::fallbacks_panel
