#include "tui/view_choices.h"

namespace tpulab {

bool ViewChoices::press(std::string_view key) { return key == "e" && press_function(2); }

bool ViewChoices::press_function(int number) {
  if (number != 2) return false;
  each_device_ = !each_device_;
  return true;
}

void ViewChoices::apply_to(ViewState& view) const { view.each_device = each_device_; }

}  // namespace tpulab
