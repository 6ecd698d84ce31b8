#include "tui/walk/walk.h"

#include <algorithm>
#include <cstdlib>

namespace tpulab {
namespace {

int middle_row(const Rect& area) { return area.row + area.rows / 2; }
int middle_column(const Rect& area) { return area.column + area.columns / 2; }

// How far `to` lies in the direction, and askew; none if it does not.
constexpr int nowhere = -1;
int distance(const Rect& from, const Rect& to, int rows, int columns) {
  const int down = middle_row(to) - middle_row(from);
  const int right = middle_column(to) - middle_column(from);
  const bool beyond =
      rows != 0 ? (rows > 0 ? to.row >= from.row + from.rows : to.row + to.rows <= from.row)
                : (columns > 0 ? to.column >= from.column + from.columns
                               : to.column + to.columns <= from.column);
  if (!beyond) return nowhere;
  const int gap = rows != 0 ? std::abs(down) : std::abs(right);
  const int askew = rows != 0 ? std::abs(right) / 2 : std::abs(down) * 8;
  return gap * (rows != 0 ? 8 : 1) + askew;
}

}  // namespace

void Walk::see(std::span<const PlacedPane> panes) {
  panes_.assign(panes.begin(), panes.end());
  if (std::ranges::find(panes_, pane_, &PlacedPane::panel) != panes_.end()) return;
  pane_ = panes_.empty() ? std::string_view() : panes_.front().panel;
}

int Walk::chosen() const {
  const auto found = chosen_.find(pane_);
  return found == chosen_.end() ? 0 : found->second;
}

void Walk::choose(std::string_view pane, int item) {
  const auto found = std::ranges::find(panes_, pane, &PlacedPane::panel);
  if (found == panes_.end()) return;
  pane_ = found->panel;
  if (item >= 0) chosen_[pane_] = item;
}

void Walk::turn(int panes) {
  if (panes_.empty()) return;
  const auto at = std::ranges::find(panes_, pane_, &PlacedPane::panel) - panes_.begin();
  const auto count = std::ssize(panes_);
  pane_ = panes_[static_cast<std::size_t>((at + panes % count + count) % count)].panel;
}

bool Walk::move(int by, int items) {
  const int now = std::clamp(chosen(), 0, std::max(0, items - 1));
  const int next = now + by;
  if (next < 0 || next >= items) return false;
  chosen_[pane_] = next;
  return true;
}

bool Walk::go(int rows, int columns) {
  const auto from = std::ranges::find(panes_, pane_, &PlacedPane::panel);
  if (from == panes_.end()) return false;
  const PlacedPane* nearest = nullptr;
  int least = 0;
  for (const PlacedPane& pane : panes_) {
    const int far = distance(from->area, pane.area, rows, columns);
    if (far == nowhere || (nearest != nullptr && far >= least)) continue;
    nearest = &pane;
    least = far;
  }
  if (nearest == nullptr) return false;
  pane_ = nearest->panel;
  return true;
}

}  // namespace tpulab
