// The first row: is it running, does it learn, how fast, what holds it back.
#pragma once

#include <string>
#include <vector>

#include "tui/panels/panel.h"

namespace tpulab {

struct StatusSegment {
  std::string full;
  std::string brief;  // shown where the row is narrow; as `full` if it cannot be said shorter
  bool strong = false;
  bool full_first = false;  // said in full before anything after it is said at all
  bool yields = false;      // left out where what is `full_first` has no room behind it
  std::string middle{};     // of what is `full_first`, where it lets the one behind it in
};
// Most important first. `compiling` is the share of the run's TPU time that compiles took, said of
// one that has ended; 0: it is not known.
std::vector<StatusSegment> status_segments(const RunView& run, Glyphs glyphs, double compiling = 0);

// Shortens, then drops from the right what does not fit into the row.
void draw_status_line(const RunView& run, Canvas& canvas, Glyphs glyphs, double compiling = 0);

}  // namespace tpulab
