// What the keys have chosen to see: kept by the screen, read by the panels.
#pragma once

#include <optional>
#include <string_view>

#include "tui/panels/panel.h"
#include "tui/walk/panes_keys.h"

namespace tpulab {

class ViewChoices {
 public:
  // False if the action chooses nothing of these.
  bool press(PanesAction action);
  std::string_view zoomed() const;  // the pane that has the screen; empty: none
  void zoom(std::string_view pane);
  void zoom_next(int panes = 1);  // one after the other in the order of the screen, then none
  // So many columns of the list of kernels to the right, round and round.
  void sort_kernels(int columns);
  // Until one is chosen the map shows the one that has something to show.
  void see_fitting(MapMetric metric) { fitting_ = metric; }
  MapMetric metric() const { return metric_.value_or(fitting_); }
  bool frozen() const { return frozen_; }  // the figures stand still
  void freeze(bool still) { frozen_ = still; }
  void apply_to(ViewState& view) const;

 private:
  bool each_device_ = false;
  bool frozen_ = false;
  std::optional<MapMetric> metric_;
  MapMetric fitting_ = MapMetric::wait;
  int kernel_field_ = default_kernel_field;
  bool roofline_ = false;
  std::size_t zoomed_ = 0;  // 0: none, else the place of a pane
};

}  // namespace tpulab
