#include "tui/screen/reduced.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/draw/fit.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"
#include "tui/timeline/event_lines.h"

namespace tpulab {

namespace {

struct MeanUse {
  int used = 0;
  double duty = 0;
  double useful = 0;
};

MeanUse mean_use(const std::vector<CoreView>& cores) {
  MeanUse mean;
  for (const CoreView& core : cores) {
    if (!core.used) continue;
    ++mean.used;
    mean.duty += core.duty_cycle;
    mean.useful += core.utilisation;
  }
  mean.duty /= std::max(1, mean.used);
  mean.useful /= std::max(1, mean.used);
  return mean;
}

std::string cores_text(const Snapshot& now) {
  const MeanUse mean = mean_use(now.cores);
  const std::string& device = now.run.device;
  if (mean.used == 0) return fmt::format("{}s {}: nothing runs", device, now.cores.size());
  const std::vector<AlikeDevices> groups = alike_devices(now.cores);
  if (groups.front().slow) {
    return fmt::format("! {}: {}; duty {}, useful {}",
                       name_of(groups.front(), groups.size(), now.run),
                       wait_of(groups.front(), groups, now.run).brief, text_of_share(mean.duty),
                       text_of_share(mean.useful));
  }
  return fmt::format("{}s {} of {}, mean duty {}, useful {}", device, mean.used, now.cores.size(),
                     text_of_share(mean.duty), text_of_share(mean.useful));
}

std::string events_text(const Snapshot& now) {
  const auto [ops, reads] = counts_of(now.fallbacks);
  const std::int64_t again = now.compiles.again;
  return fmt::format("{} compiles{} ({} TPU time), {} fallbacks, {} reads", now.compiles.compiled,
                     again > 0 ? fmt::format(", {} again", again) : "", text_of(now.compiles.total),
                     text_with_commas(ops), text_with_commas(reads));
}

void draw_loss(const Snapshot& now, Canvas& canvas, Rect row, Glyphs glyphs) {
  if (now.losses->empty()) {
    const std::string rate = text_of_count(now.run.tpu_rate_steady);
    const std::string words = now.run.numbers || now.run.tpu_rate_steady <= 0
                                  ? "no loss yet"
                                  : "time only: " + rate + " samples/s TPU time (est.)";
    canvas.write(row.row, row.column, words, Role::dim);
    return;
  }
  const int start = canvas.write(row.row, row.column, fmt::format("loss {:.4f} ", now.run.loss),
                                 Role::text, true);
  std::vector<float> values;
  float largest = 0;
  const std::vector<LossPoint>& losses = *now.losses;
  const int columns = row.column + row.columns - start;
  // The whole run in the cells there are: every cell takes the newest value of its part.
  for (int i = 0; i < columns; ++i) {
    const std::size_t part =
        losses.size() * static_cast<std::size_t>(i + 1) / static_cast<std::size_t>(columns);
    if (part == 0) continue;
    values.push_back(losses[part - 1].loss);
    if (values.back() > largest) largest = values.back();
  }
  draw_sparkline(canvas, row.row, start, columns, values, static_cast<double>(largest), Role::curve,
                 glyphs);
}

}  // namespace

Rect draw_reduced(const Snapshot& now, const ViewState& view, Canvas& canvas, Rect area) {
  constexpr int margin = 1;
  const Rect line{area.row, area.column + margin, 1, area.columns - 2 * margin};
  const bool slow = !slow_devices(now.cores).empty();
  canvas.write(line.row, line.column, clipped(cores_text(now), line.columns, view.glyphs),
               slow ? Role::warning : Role::text, slow);
  draw_legend(canvas, {line.row + 1, line.column, 2, line.columns}, mean_shares(now.cores),
              view.glyphs);
  draw_loss(now, canvas, {line.row + 3, line.column, 1, line.columns}, view.glyphs);
  canvas.write(line.row + 4, line.column,
               in_whole_parts(events_text(now), line.columns, view.glyphs), Role::text);
  draw_rule(canvas, line.row + 5, area.column, area.columns, "output",
            panel_named("output").caption(now), view.glyphs, false, view.focused == "output");
  Canvas output(area.rows - 6, line.columns);
  panel_named("output").draw(now, view, output);
  canvas.paste(output, line.row + 6, line.column);
  return {line.row + 6, line.column, output.rows(), output.columns()};
}

}  // namespace tpulab
