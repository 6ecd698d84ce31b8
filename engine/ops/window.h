// Windows that move over images [b,h,w,c]: where they start, how many there are, what they cover.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "engine/ops/ops.h"

namespace tpulab {

struct WindowGrid {
  std::int64_t batch = 0;
  std::int64_t height = 0;  // of the image
  std::int64_t width = 0;
  std::int64_t window_height = 0;
  std::int64_t window_width = 0;
  std::int64_t stride = 1;
  std::int64_t top = 0;  // rows of zeros above the image, columns left of it
  std::int64_t left = 0;
  std::int64_t out_height = 0;
  std::int64_t out_width = 0;

  std::int64_t taps() const { return window_height * window_width; }
  std::int64_t pixels() const { return height * width; }              // of one image
  std::int64_t out_pixels() const { return out_height * out_width; }  // of one image

  // Calls visit(out_pixel, tap, in_pixel) for each element of each window that lies inside one
  // image, window by window; pixels count from the image's first.
  template <class Visit>
  void for_each_tap(const Visit& visit) const;
};

// Throws Error naming `op` unless `image` is [b,h,w,c] and has room for a window.
WindowGrid window_grid(std::string_view op, const Type& image, std::int64_t window_height,
                       std::int64_t window_width, std::int64_t stride, const Padding& padding);
// "same", "valid" or "2": as it stands in attributes.
std::string text_of(const Padding& padding);

template <class Visit>
void WindowGrid::for_each_tap(const Visit& visit) const {
  for (std::int64_t out = 0; out < out_pixels(); ++out) {
    const std::int64_t row = out / out_width * stride - top;
    const std::int64_t column = out % out_width * stride - left;
    for (std::int64_t y = std::max<std::int64_t>(0, -row);
         y < std::min(window_height, height - row); ++y) {
      for (std::int64_t x = std::max<std::int64_t>(0, -column);
           x < std::min(window_width, width - column); ++x) {
        visit(out, y * window_width + x, (row + y) * width + column + x);
      }
    }
  }
}

}  // namespace tpulab
