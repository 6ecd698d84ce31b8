// The training loss: is it falling?
#include <fmt/format.h>

#include <cmath>

#include "engine/base/text.h"
#include "tui/draw/plot.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"

namespace tpulab {

namespace {

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const std::vector<LossPoint>& losses = *now.losses;
  // A run without numbers has no loss: where its time goes takes the place.
  if (losses.empty() && !now.run.numbers && view.program != nullptr) {
    panel_named("profile").draw(now, view, canvas);
    return;
  }
  if (losses.empty()) {
    draw_note(canvas, now.run.numbers ? "no loss yet" : "time only: no loss is computed");
    return;
  }
  std::vector<PlotPoint> points;
  points.reserve(losses.size());
  for (const LossPoint& point : losses) points.push_back({point.step, point.loss});
  draw_plot(canvas, {0, 0, canvas.rows(), canvas.columns()}, points, {true, "step"}, view.glyphs);
}

std::string caption(const Snapshot& now) {
  if (now.losses->empty()) {
    return now.run.numbers || now.run.state == RunState::none ? "" : "time only: kernels of a step";
  }
  if (!std::isfinite(now.run.loss)) return "! not a number: lower learning_rate, then run";
  // Where one has to go it is the loss, which the status line has too.
  std::string loss = fmt::format("{:.4f}", now.run.loss);
  if (!std::isfinite(now.run.test_accuracy)) return loss;
  return fmt::format("test accuracy {:.1f} %, {}", now.run.test_accuracy * 100, loss);
}

}  // namespace

extern const Panel loss_panel;
const Panel loss_panel{"loss", "loss", draw, caption};

}  // namespace tpulab
