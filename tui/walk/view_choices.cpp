#include "tui/walk/view_choices.h"

#include <algorithm>
#include <array>

namespace tpulab {

namespace {

// In the order of the screen; the first is none.
constexpr std::array<std::string_view, 10> zooms{"",          "cores",   "inside", "strip",
                                                 "timeline",  "profile", "loss",   "compiles",
                                                 "fallbacks", "output"};

}  // namespace

bool ViewChoices::press(PanesAction action) {
  if (action == PanesAction::each_device) {
    each_device_ = !each_device_;
  } else if (action == PanesAction::map_metric) {
    metric_ = static_cast<MapMetric>((static_cast<int>(metric_) + 1) % map_metrics);
  } else {
    return false;
  }
  return true;
}

std::string_view ViewChoices::zoomed() const { return zooms.at(zoomed_); }

void ViewChoices::zoom(std::string_view pane) {
  const auto* found = std::ranges::find(zooms, pane);
  zoomed_ = found == zooms.end() ? 0 : static_cast<std::size_t>(found - zooms.begin());
}

void ViewChoices::zoom_next(int panes) {
  constexpr auto count = static_cast<int>(zooms.size());
  zoomed_ = static_cast<std::size_t>((static_cast<int>(zoomed_) + panes + count) % count);
}

void ViewChoices::apply_to(ViewState& view) const {
  view.each_device = each_device_;
  view.metric = metric_;
  view.zoomed = zoomed();
}

}  // namespace tpulab
