// The training loss: is it falling?
#include <fmt/format.h>

#include <cmath>

#include "engine/session/run/ended_runs.h"
#include "tui/draw/plot.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"

namespace tpulab::loss_panel {

namespace {

constexpr int least_titled = 55;  // columns in which a title says accuracy, loss and earlier runs

std::vector<PlotPoint> points_of(const std::vector<LossPoint>& losses) {
  std::vector<PlotPoint> points;
  points.reserve(losses.size());
  for (const LossPoint& point : losses) points.push_back({point.step, point.loss});
  return points;
}

// The runs before the newest one that had a loss.
std::vector<const EndedRun*> earlier_runs(const Snapshot& now) {
  std::vector<const EndedRun*> runs;
  for (const auto& ended : now.ended) {
    const bool earlier = ended->record.view.number < now.run.number;
    if (earlier && !ended->losses->empty()) runs.push_back(ended.get());
  }
  return runs;
}

// "dotted: runs 2-4".
std::string earlier_words(const Snapshot& now) {
  const std::vector<const EndedRun*> runs = earlier_runs(now);
  if (runs.empty()) return {};
  const std::int64_t first = runs.front()->record.view.number;
  const std::int64_t last = runs.back()->record.view.number;
  if (first == last) return fmt::format("dotted: run {}", first);
  return fmt::format("dotted: runs {}-{}", first, last);
}

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const std::vector<LossPoint>& losses = *now.losses;
  if (losses.empty()) {
    draw_note(canvas, now.run.numbers ? "no loss yet" : "time only: no loss is computed");
    return;
  }
  std::vector<std::vector<PlotPoint>> behind;
  for (const EndedRun* run : earlier_runs(now)) behind.push_back(points_of(*run->losses));
  // Where the title has no room for it.
  const bool is_cut = canvas.columns() < least_titled && std::isfinite(now.run.test_accuracy);
  const std::string earlier = is_cut ? earlier_words(now) : std::string();
  PlotLook look{true, earlier.empty() ? "step" : std::string_view(earlier), behind};
  if (now.run.steps_total > 0) look.furthest_x = static_cast<double>(now.run.steps_total);
  draw_plot(canvas, {0, 0, canvas.rows(), canvas.columns()}, points_of(losses), look, view.glyphs);
}

std::string caption(const Snapshot& now) {
  if (now.losses->empty()) return "";
  if (!std::isfinite(now.run.loss)) return "! not a number: lower learning_rate, then run";
  // Where one has to go it is the loss, which the status line has too.
  const std::string earlier = earlier_words(now);
  std::string loss = fmt::format("{:.4f}{}{}", now.run.loss, earlier.empty() ? "" : ", ", earlier);
  if (!std::isfinite(now.run.test_accuracy)) return loss;
  return fmt::format("test accuracy {:.1f} %, {}", now.run.test_accuracy * 100, loss);
}

}  // namespace

extern const Panel row;
const Panel row{"loss", "loss", draw, caption};

}  // namespace tpulab::loss_panel
