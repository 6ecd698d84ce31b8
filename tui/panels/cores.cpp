// The devices of the slice: what each one did with its time.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tui/cores/alike_devices.h"
#include "tui/cores/core_views.h"
#include "tui/draw/widgets.h"
#include "tui/panels/panel.h"

namespace tpulab::cores_panel {

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

bool one_by_one(const Snapshot& now, const ViewState& view) {
  return view.each_device && static_cast<int>(now.cores.size()) <= most_tiled_cores;
}

std::vector<AlikeDevices> tiles(const Snapshot& now, const ViewState& view) {
  if (!one_by_one(now, view)) return alike_devices(now.cores);
  std::vector<AlikeDevices> each;
  const std::vector<int> slow = slow_devices(now.cores);
  for (const CoreView& core : now.cores) {
    each.push_back({{core.index}, core, std::ranges::binary_search(slow, core.index)});
  }
  return each;
}

int items(const Snapshot& now, const ViewState& view) {
  const auto count = static_cast<int>(now.cores.size());
  if (has_map(now)) return cells_of_map(now, view);
  if (one_by_one(now, view)) return count;
  return std::min(most_alike_tiles, static_cast<int>(tiles(now, view).size()));
}

void add_numbers(std::vector<std::string>& lines, const CoreView& each, const RunView& run) {
  if (!each.used) {
    lines.emplace_back("not used by this run");
    return;
  }
  lines.push_back(
      fmt::format("duty {}, useful {}, of the last {} steps and what lies between; HBM {} of {}",
                  text_of_share(each.duty_cycle), text_of_share(each.utilisation), run.recent_steps,
                  text_of(each.hbm_used), text_of(each.hbm_limit)));
  for (const Share share : largest_first(each.shares)) {
    lines.push_back(fmt::format("  {:>8}  {}",
                                text_of_share(each.shares[static_cast<std::size_t>(share)]),
                                name_of(share)));
  }
}

// One without a part in the run has nothing to explain.
std::string explained(const CoreView& core) {
  return core.used ? fmt::format("explain core {}", core.index) : std::string();
}

std::optional<int> neighbour(const Snapshot& now, const ViewState& view, int rows, int columns) {
  if (!has_map(now)) return std::nullopt;
  return neighbour_on_map(now, view, rows, columns);
}

// One of a map, and what is like it.
Opened open_on_map(const Snapshot& now, const ViewState& view) {
  const CoreView& core = chosen_on_map(now, view);
  const std::vector<AlikeDevices> groups = alike_devices(now.cores);
  const auto group = std::ranges::find_if(groups, [&core](const AlikeDevices& one) {
    return std::ranges::binary_search(one.devices, core.index);
  });
  Opened opened{
      fmt::format("{} {}{}", now.run.device, core.index, group->slow ? ", straggler" : ""),
      {place_of_device(now, core.index)},
      explained(core)};
  add_numbers(opened.lines, core, now.run);
  const WaitWords wait = wait_of(*group, groups, now.run);
  if (!wait.full.empty()) opened.lines.push_back("  " + wait.full);
  opened.lines.emplace_back();
  return opened;
}

Opened open(const Snapshot& now, const ViewState& view) {
  if (now.cores.empty()) return {"devices", {"No slice yet."}, "explain core"};
  if (has_map(now)) return open_on_map(now, view);
  const std::vector<AlikeDevices> all = tiles(now, view);
  const auto last = static_cast<int>(all.size()) - 1;
  const int chosen = view.focused == "cores" ? std::clamp(view.chosen, 0, last) : 0;
  const AlikeDevices& group = all[static_cast<std::size_t>(chosen)];
  const CoreView& each = group.each;
  const auto groups = one_by_one(now, view) ? std::size_t{2} : all.size();
  Opened opened{title_of(group, groups, now.run), {}, explained(each)};
  add_numbers(opened.lines, each, now.run);
  const WaitWords wait = wait_of(group, all, now.run);
  if (!wait.full.empty()) opened.lines.push_back("  " + wait.full);
  opened.lines.emplace_back();
  return opened;
}

std::string caption(const Snapshot& now) {
  if (now.cores.empty()) return {};
  const auto used = std::count_if(now.cores.begin(), now.cores.end(),
                                  [](const CoreView& core) { return core.used; });
  const std::string slow = now.run.slow_link < 0
                               ? std::string()
                               : fmt::format("links of chip {} slow, ", now.run.slow_link);
  return fmt::format("{}{} of {} {}s at work, shares of TPU time (est.)", slow, used,
                     now.cores.size(), now.run.device);
}

}  // namespace

extern const Panel row;
const Panel row{"cores", "devices", draw, caption, items, open, true, neighbour};

}  // namespace tpulab::cores_panel
