#include "tui/view_choices.h"

#include <array>

namespace tpulab {

namespace {

// In the order of the screen; the first is none.
constexpr std::array<std::string_view, 7> zooms{"",         "cores",     "strip", "loss",
                                                "compiles", "fallbacks", "output"};

}  // namespace

bool ViewChoices::press(std::string_view key) {
  if (key == "e") return press_function(2);
  if (key == "z") return press_function(8);
  return key == "m" && press_function(4);
}

bool ViewChoices::press_function(int number) {
  if (number == 2) each_device_ = !each_device_;
  if (number == 4) metric_ = static_cast<MapMetric>((static_cast<int>(metric_) + 1) % map_metrics);
  if (number == 8) zoomed_ = (zoomed_ + 1) % zooms.size();
  return number == 2 || number == 4 || number == 8;
}

void ViewChoices::apply_to(ViewState& view) const {
  view.each_device = each_device_;
  view.metric = metric_;
  view.zoomed = zooms.at(zoomed_);
}

}  // namespace tpulab
