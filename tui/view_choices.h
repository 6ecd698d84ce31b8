// What the keys have chosen to see: kept by the screen, read by the panels.
#pragma once

#include <string_view>

#include "tui/panel.h"

namespace tpulab {

class ViewChoices {
 public:
  // A letter while the panes have the focus; false if it is none of these keys.
  bool press(std::string_view key);
  bool press_function(int number);
  void apply_to(ViewState& view) const;

 private:
  bool each_device_ = false;
  MapMetric metric_ = MapMetric::wait;
  std::size_t zoomed_ = 0;  // 0: none, else the place of a pane
};

}  // namespace tpulab
