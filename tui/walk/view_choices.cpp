#include "tui/walk/view_choices.h"

#include <algorithm>
#include <array>

#include "tui/kernels/kernel_fields.h"

namespace tpulab {

namespace {

// In the order of the screen; the first is none.
constexpr std::array<std::string_view, 11> zooms{"",         "cores",     "inside",  "strip",
                                                 "timeline", "beside",    "profile", "loss",
                                                 "compiles", "fallbacks", "output"};

}  // namespace

bool ViewChoices::press(PanesAction action) {
  if (action == PanesAction::each_device) {
    each_device_ = !each_device_;
  } else if (action == PanesAction::map_metric) {
    metric_ = static_cast<MapMetric>((static_cast<int>(metric()) + 1) % map_metrics);
  } else if (action == PanesAction::roofline) {
    roofline_ = !roofline_;
  } else if (action == PanesAction::freeze) {
    frozen_ = !frozen_;
  } else {
    return false;
  }
  return true;
}

void ViewChoices::sort_kernels(int columns) {
  const auto count = static_cast<int>(kernel_fields().size());
  kernel_field_ = (kernel_field_ + columns + count) % count;
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
  view.metric = metric();
  view.kernel_field = kernel_field_;
  view.roofline = roofline_;
  view.zoomed = zoomed();
}

}  // namespace tpulab
