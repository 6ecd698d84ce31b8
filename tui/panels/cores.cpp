// The devices of the slice: what each one did with its time.
#include <fmt/format.h>

#include <algorithm>

#include "tui/core_views.h"
#include "tui/widgets.h"

namespace tpulab {

namespace {

void draw(const Snapshot& now, const ViewState& view, Canvas& canvas) {
  const auto count = static_cast<int>(now.cores.size());
  if (count == 0) {
    draw_note(canvas, "run shows here what each device does with its time");
  } else if (count <= most_tiled_cores && !view.each_device) {
    draw_alike_devices(now, view, canvas);
  } else if (!view.compact && tile_grid(count, canvas.columns(), canvas.rows()).height > 0) {
    draw_core_tiles(now, canvas, view.glyphs);
  } else if (count <= most_tiled_cores &&
             core_list_rows(count, canvas.columns()) <= canvas.rows()) {
    draw_core_list(now, canvas, view.glyphs);
  } else {
    draw_core_map(now, view, canvas);
  }
}

std::string caption(const Snapshot& now) {
  const auto used = std::count_if(now.cores.begin(), now.cores.end(),
                                  [](const CoreView& core) { return core.used; });
  return fmt::format("{} of {} {}s at work, shares of TPU time (est.)", used, now.cores.size(),
                     now.run.device);
}

}  // namespace

extern const Panel cores_panel;
const Panel cores_panel{"cores", "devices", draw, caption};

}  // namespace tpulab
