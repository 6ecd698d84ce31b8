#include "commands/handouts/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr int row = 24;
constexpr int labels = 230;  // their column
constexpr int longest = 300;
constexpr int width = 720;

double length_of(const Bar& bar, double most) {
  if (!std::isfinite(bar.value) || bar.value <= 0 || most <= 0) return 0;
  return std::max(1.0, longest * bar.value / most);
}

}  // namespace

std::string svg_of(std::string_view title, const std::vector<Bar>& bars) {
  double most = 0;
  for (const Bar& bar : bars) {
    if (std::isfinite(bar.value)) most = std::max(most, bar.value);
  }
  const int height = (static_cast<int>(bars.size()) + 1) * row + 8;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<text x=\"4\" y=\"17\" font-weight=\"bold\">{2}</text>\n",
      width, height, escaped_for_xml(title));
  int y = row;
  for (const Bar& bar : bars) {
    const double length = length_of(bar, most);
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"#3b6ea5\"/>\n"
        "<text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
        labels, y + 17, escaped_for_xml(bar.label), labels + 8, y + 4, length, row - 8,
        labels + 14 + length, y + 17, escaped_for_xml(bar.text));
    y += row;
  }
  return svg + "</svg>\n";
}

}  // namespace tpulab
