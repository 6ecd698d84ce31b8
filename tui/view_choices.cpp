#include "tui/view_choices.h"

namespace tpulab {

bool ViewChoices::press(std::string_view key) {
  if (key == "e") return press_function(2);
  return key == "m" && press_function(4);
}

bool ViewChoices::press_function(int number) {
  if (number == 2) each_device_ = !each_device_;
  if (number == 4) metric_ = static_cast<MapMetric>((static_cast<int>(metric_) + 1) % map_metrics);
  return number == 2 || number == 4;
}

void ViewChoices::apply_to(ViewState& view) const {
  view.each_device = each_device_;
  view.metric = metric_;
}

}  // namespace tpulab
