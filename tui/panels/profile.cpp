// The kernels of the newest step by the time they take: which ones, what binds each.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/base/text.h"
#include "engine/session/priced_program.h"
#include "tui/draw/table.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"

namespace tpulab {

namespace {

using Kernels = std::vector<const KernelRow*>;

Kernels longest_first(const ViewState& view) {
  Kernels kernels;
  if (view.program == nullptr) return kernels;
  for (const KernelRow& row : view.program->kernels) kernels.push_back(&row);
  std::ranges::stable_sort(kernels, std::greater<>{},
                           [](const KernelRow* row) { return row->time * row->runs; });
  return kernels;
}

std::size_t chosen(const Kernels& kernels, const ViewState& view) {
  if (view.focused != "profile" || view.chosen < 0) return 0;
  return std::min(static_cast<std::size_t>(view.chosen), kernels.size() - 1);
}

TableRow row_of(const KernelRow& kernel, Picoseconds whole) {
  const double seconds = in_seconds(kernel.time);
  const Picoseconds all = kernel.time * kernel.runs;
  const auto rate = [seconds](std::int64_t amount) {
    return amount > 0 && seconds > 0 ? text_of_count(static_cast<double>(amount) / seconds)
                                     : std::string("-");
  };
  return {{kernel.name, text_with_commas(kernel.runs), text_of(all),
           text_of_share(in_seconds(all) / std::max(1e-12, in_seconds(whole))), kernel.bound,
           rate(kernel.useful.value), rate(kernel.traffic.value)},
          Role::text};
}

void draw(const Snapshot& /*now*/, const ViewState& view, Canvas& canvas) {
  const Kernels kernels = longest_first(view);
  if (kernels.empty()) {
    draw_note(canvas, "no step yet: run shows here what its time goes to, kernel by kernel");
    return;
  }
  const int name_columns = std::clamp(canvas.columns() / 3, 14, 40);
  const std::vector<TableColumn> columns{{"kernel", name_columns, false, 9},
                                         {"runs", 5, true, 3},
                                         {"time", 8, true, 8},
                                         {"share", 7, true, 7},
                                         {"bound", 11, false, 6},
                                         {"FLOP/s", 7, true, 5},
                                         {"HBM B/s", 8, true, 4}};
  std::vector<TableRow> rows;
  for (const KernelRow* kernel : kernels) rows.push_back(row_of(*kernel, view.program->time));
  const std::size_t room =
      static_cast<std::size_t>(std::max(1, canvas.rows() - (has_header(canvas.rows()) ? 1 : 0)));
  const std::size_t at = chosen(kernels, view);
  const std::size_t first = at < room ? 0 : at - room + 1;
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
  const int shown =
      draw_table(canvas, {0, 0, canvas.rows(), canvas.columns()}, columns, rows, view.glyphs);
  for (int i = 0; i < shown; ++i) {
    canvas.mark({i + (has_header(canvas.rows()) ? 1 : 0), 0, 1, canvas.columns()},
                static_cast<int>(first) + i);
  }
}

int items(const Snapshot& /*now*/, const ViewState& view) {
  return view.program == nullptr ? 0 : static_cast<int>(view.program->kernels.size());
}

Opened open(const Snapshot& /*now*/, const ViewState& view) {
  const Kernels kernels = longest_first(view);
  if (kernels.empty()) return {"kernels", {"No step yet: run trains one."}};
  const std::string& name = kernels[chosen(kernels, view)]->name;
  return {name, {}, "explain " + name.substr(0, name.find('+'))};
}

std::string caption(const Snapshot& now) {
  if (now.run.state == RunState::none) return "of a step";
  return "of a step by time, TPU time (est.)";
}

}  // namespace

extern const Panel profile_panel;
const Panel profile_panel{"profile", "kernels", draw, caption, items, open};

}  // namespace tpulab
