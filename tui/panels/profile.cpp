// The kernels of the newest step: which ones take its time, what binds each, and how near they come
// to what the chip can do.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/draw/fit.h"
#include "tui/draw/table.h"
#include "tui/draw/widgets.h"
#include "tui/kernels/kernel_fields.h"
#include "tui/kernels/padding.h"
#include "tui/kernels/roofline.h"
#include "tui/panels/panel.h"

namespace tpulab::profile_panel {

namespace {

constexpr int readable_name_columns = 26;  // before figures that matter less
constexpr int most_name_columns = 56;
constexpr int list_columns = 86;  // beside a roofline
constexpr int least_plot_columns = 48;
constexpr int least_plot_rows = 12;

using KernelList = std::vector<const KernelRow*>;

std::size_t chosen_of(const KernelList& kernels, const ViewState& view) {
  if (view.focused != "profile" || view.chosen < 0 || kernels.empty()) return 0;
  return std::min(static_cast<std::size_t>(view.chosen), kernels.size() - 1);
}

// What the list is sorted by is never left out.
std::vector<TableColumn> columns_of(const ViewState& view, int room,
                                    std::vector<std::string>& titles) {
  constexpr int always = 8;
  std::vector<TableColumn> columns;
  for (const KernelField& field : kernel_fields()) {
    titles.emplace_back(field.column.title);
    columns.push_back(field.column);
  }
  const int beside_name = columns[1].columns + columns[2].columns + 2;  // time and share
  columns[0].columns = std::clamp(room - beside_name, columns[0].columns, readable_name_columns);
  columns[0].most = most_name_columns;
  const auto sorted = static_cast<std::size_t>(view.kernel_field);
  columns[sorted].importance = std::max(columns[sorted].importance, always);
  titles[sorted] += view.glyphs == Glyphs::ascii ? "*" : "↓";
  if (columns[sorted].columns < display_width(titles[sorted])) ++columns[sorted].columns;
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].title = titles[i];
  return columns;
}

void draw_list(Canvas& canvas, Rect area, const KernelList& kernels, const ViewState& view) {
  std::vector<std::string> titles;
  const std::vector<TableColumn> columns = columns_of(view, area.columns, titles);
  const int header = has_header(area.rows) ? 1 : 0;
  const auto room = static_cast<std::size_t>(std::max(1, area.rows - header));
  const std::size_t at = chosen_of(kernels, view);
  const std::size_t first = at < room ? 0 : at - room + 1;
  std::vector<TableRow> rows;
  for (std::size_t i = first; i < std::min(kernels.size(), first + room); ++i) {
    TableRow row;
    for (const KernelField& field : kernel_fields()) {
      row.cells.push_back(field.words(*kernels[i], *view.program));
    }
    rows.push_back(std::move(row));
  }
  const int shown = draw_table(canvas, area, columns, rows, view.glyphs);
  for (int i = 0; i < shown; ++i) {
    canvas.mark({area.row + i + header, area.column, 1, area.columns}, static_cast<int>(first) + i);
  }
}

void draw(const Snapshot& /*now*/, const ViewState& view, Canvas& canvas) {
  if (view.program == nullptr || view.program->kernels.empty()) {
    draw_note(canvas, "no step yet: run shows here what its time goes to, kernel by kernel");
    return;
  }
  const KernelList kernels = chosen_kernels(view);
  Rect area{0, 0, canvas.rows(), canvas.columns()};
  if (!view.sought_kernel.empty() && area.rows > 2) {
    const std::string words =
        fmt::format("{} of {} with '{}'; Esc shows all", kernels.size(),
                    count_with(std::ssize(view.program->kernels), "kernel"), view.sought_kernel);
    canvas.write(0, 0, words, Role::title, false, area.columns);
    ++area.row, --area.rows;
  }
  const bool roofline = view.roofline && area.rows >= 8 && area.columns >= 40;  // else no plot
  const std::string padding = worst_padding(*view.program, area.columns);
  if (!padding.empty() && area.rows > 3 && !roofline) {
    --area.rows;
    canvas.write(area.row + area.rows, 0, clipped(padding, area.columns, view.glyphs), Role::text,
                 true);
  }
  const KernelRow* chosen = kernels.empty() ? nullptr : kernels[chosen_of(kernels, view)];
  const bool both =
      area.columns >= list_columns + 2 + least_plot_columns && area.rows >= least_plot_rows;
  if (roofline || both) {
    const int left = both && !roofline ? std::max(list_columns, area.columns * 11 / 20) + 2 : 0;
    draw_roofline(canvas, {area.row, left, area.rows, area.columns - left}, *view.program, kernels,
                  chosen, view.glyphs);
    area.columns = left - 2;
  }
  if (area.columns > 0) draw_list(canvas, area, kernels, view);
}

int items(const Snapshot& /*now*/, const ViewState& view) {
  return static_cast<int>(chosen_kernels(view).size());
}

Opened open(const Snapshot& /*now*/, const ViewState& view) {
  const KernelList kernels = chosen_kernels(view);
  if (kernels.empty()) {
    return {"kernels", {view.program == nullptr ? "No step yet: run trains one." : "None found."}};
  }
  const KernelRow& kernel = *kernels[chosen_of(kernels, view)];
  return {kernel.name, {}, explanation_of(kernel.name)};
}

std::string caption(const Snapshot& now) {
  if (now.run.state == RunState::none) return "of a program";
  return "of a program, TPU time (est.)";
}

}  // namespace

extern const Panel row;
const Panel row{"profile", "kernels", draw, caption, items, open};

}  // namespace tpulab::profile_panel
