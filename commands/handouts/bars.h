// A figure of bars as SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct Bar {
  std::string label;  // at its left
  double value = 0;   // its length against the longest
  std::string text;   // at its right
};

// Numbers below 0 and numbers that are not finite have no length.
std::string svg_of(std::string_view title, const std::vector<Bar>& bars);

}  // namespace tpulab
