// Windows that move over images [b,h,w,c] or volumes [b,d,h,w,c]: where they start, how many there
// are, what they cover.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "engine/ops/ops.h"

namespace tpulab {

struct WindowGrid {
  std::int64_t batch = 0;
  std::int64_t depth = 1;   // of a volume
  std::int64_t height = 0;  // of the image
  std::int64_t width = 0;
  std::int64_t window_depth = 1;
  std::int64_t window_height = 0;
  std::int64_t window_width = 0;
  std::int64_t stride = 1;
  std::int64_t front = 0;  // images of zeros before a volume
  std::int64_t top = 0;    // rows of zeros above the image, columns left of it
  std::int64_t left = 0;
  std::int64_t out_depth = 1;
  std::int64_t out_height = 0;
  std::int64_t out_width = 0;

  std::int64_t window_rows() const { return window_depth * window_height; }
  std::int64_t taps() const { return window_rows() * window_width; }
  std::int64_t pixels() const { return depth * height * width; }  // of one image
  std::int64_t out_pixels() const { return out_depth * out_height * out_width; }

  // Calls visit(out_pixel, tap, in_pixel) for each element of each window that lies inside one
  // image, window by window; pixels count from the image's first.
  template <class Visit>
  void for_each_tap(const Visit& visit) const;
};

// Of a window [height,width], or [depth,height,width]. Throws Error naming `op` unless `image` has
// such axes between batch and channels, and room for a window.
WindowGrid window_grid(std::string_view op, const Type& image, const Shape& window,
                       std::int64_t stride, const Padding& padding);
// "same", "valid" or "2": as it stands in attributes.
std::string text_of(const Padding& padding);

template <class Visit>
void WindowGrid::for_each_tap(const Visit& visit) const {
  const auto from = [](std::int64_t at) { return std::max<std::int64_t>(0, -at); };
  for (std::int64_t out = 0; out < out_pixels(); ++out) {
    const std::int64_t plane = out / out_width / out_height * stride - front;
    const std::int64_t row = out / out_width % out_height * stride - top;
    const std::int64_t column = out % out_width * stride - left;
    for (std::int64_t z = from(plane); z < std::min(window_depth, depth - plane); ++z) {
      for (std::int64_t y = from(row); y < std::min(window_height, height - row); ++y) {
        for (std::int64_t x = from(column); x < std::min(window_width, width - column); ++x) {
          visit(out, (z * window_height + y) * window_width + x,
                ((plane + z) * height + row + y) * width + column + x);
        }
      }
    }
  }
}

}  // namespace tpulab
