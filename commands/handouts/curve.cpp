#include "commands/handouts/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/handouts/bars.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr double curve_left = 60;
constexpr double curve_top = 30;
constexpr double curve_width = 640;
constexpr double curve_height = 200;

struct Span {
  float low = 0;
  float high = 0;

  // 0 at the low end, 1 at the high one.
  double share(float value) const {
    return high > low ? static_cast<double>((value - low) / (high - low)) : 0.5;
  }
};

Span span_of(const std::vector<LossPoint>& points, float LossPoint::*axis) {
  Span span{points.front().*axis, points.front().*axis};
  for (const LossPoint& point : points) {
    span.low = std::min(span.low, point.*axis);
    span.high = std::max(span.high, point.*axis);
  }
  return span;
}

std::string word(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

}  // namespace

std::string svg_of(std::string_view title, const std::vector<LossPoint>& points) {
  std::vector<LossPoint> drawn;
  std::ranges::copy_if(points, std::back_inserter(drawn),
                       [](const LossPoint& point) { return std::isfinite(point.loss); });
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"260\" viewBox=\"0 0 720 "
      "260\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<text x=\"4\" y=\"17\" font-weight=\"bold\">{}</text>\n",
      escaped_for_xml(title));
  if (drawn.empty()) return svg + "</svg>\n";
  const Span steps = span_of(drawn, &LossPoint::step);
  const Span losses = span_of(drawn, &LossPoint::loss);
  svg += "<polyline fill=\"none\" stroke=\"#3b6ea5\" stroke-width=\"1.5\" points=\"";
  for (const LossPoint& point : drawn) {
    svg += fmt::format("{:.1f},{:.1f} ", curve_left + curve_width * steps.share(point.step),
                       curve_top + curve_height * (1 - losses.share(point.loss)));
  }
  svg += "\"/>\n";
  svg += word(curve_left - 6, curve_top + 10, "end", fmt::format("{:.4g}", losses.high));
  svg += word(curve_left - 6, curve_top + curve_height, "end", fmt::format("{:.4g}", losses.low));
  svg += word(curve_left, curve_top + curve_height + 20, "start",
              fmt::format("step {:.0f}", steps.low));
  svg += word(curve_left + curve_width, curve_top + curve_height + 20, "end",
              fmt::format("{:.0f}", steps.high));
  return svg + "</svg>\n";
}

}  // namespace tpulab
