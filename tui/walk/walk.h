// Where one is on the screen: the pane that has the focus, and what is chosen in each.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "tui/panels/panel.h"
#include "tui/screen/layout.h"

namespace tpulab {

class Walk {
 public:
  // The panes of the newest screen, in its order. One that is gone loses the focus.
  void see(std::span<const PlacedPane> panes);

  std::span<const PlacedPane> panes() const { return panes_; }
  std::string_view pane() const { return pane_; }  // empty: there is none
  int chosen() const;                              // in that pane
  void choose(std::string_view pane, int item);
  // The pane after it or before it, round and round.
  void turn(int panes);
  // To the item that many further; false at the last one (of `items`) on that side.
  bool move(int by, int items);
  // To the nearest pane in a direction: rows down, columns right, one of them 0. False if none is.
  bool go(int rows, int columns);

 private:
  std::vector<PlacedPane> panes_;
  std::string_view pane_;
  std::map<std::string_view, int> chosen_;
};

}  // namespace tpulab
