#include "engine/ops/window.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

namespace {

struct Side {
  std::int64_t windows = 0;
  std::int64_t before = 0;  // zeros
};

// XLA's SAME: as many windows as strides fit, the odd zero behind.
Side side_of(std::int64_t extent, std::int64_t window, std::int64_t stride,
             const Padding& padding) {
  if (padding.kind == Padding::Kind::same) {
    const std::int64_t windows = (extent + stride - 1) / stride;
    const std::int64_t zeros = std::max<std::int64_t>((windows - 1) * stride + window - extent, 0);
    return {windows, zeros / 2};
  }
  const std::int64_t before = padding.kind == Padding::Kind::by ? padding.amount : 0;
  const std::int64_t room = extent + 2 * before - window;
  return {room < 0 ? 0 : room / stride + 1, before};
}

}  // namespace

std::string text_of(const Padding& padding) {
  if (padding.kind == Padding::Kind::same) return "same";
  return padding.kind == Padding::Kind::valid ? "valid" : fmt::format("{}", padding.amount);
}

WindowGrid window_grid(std::string_view op, const Type& image, std::int64_t window_height,
                       std::int64_t window_width, std::int64_t stride, const Padding& padding) {
  if (image.shape.rank() != 4) {
    throw Error(fmt::format("{}: {} is no batch of images; give [b,h,w,c]", op,
                            text_of(image.dtype, image.shape)));
  }
  if (window_height < 1 || window_width < 1 || stride < 1 || padding.amount < 0) {
    throw Error(
        fmt::format("{}: a window of {} x {}, stride {}, padding {} covers nothing; give "
                    "positive extents",
                    op, window_height, window_width, stride, text_of(padding)));
  }
  const Side down = side_of(image.shape[1], window_height, stride, padding);
  const Side across = side_of(image.shape[2], window_width, stride, padding);
  if (down.windows < 1 || across.windows < 1) {
    throw Error(fmt::format(
        "{}: a window of {} x {} does not fit into {} with padding {}; pad more "
        "or take a smaller window",
        op, window_height, window_width, text_of(image.dtype, image.shape), text_of(padding)));
  }
  return {.batch = image.shape[0],
          .height = image.shape[1],
          .width = image.shape[2],
          .window_height = window_height,
          .window_width = window_width,
          .stride = stride,
          .top = down.before,
          .left = across.before,
          .out_height = down.windows,
          .out_width = across.windows};
}

}  // namespace tpulab
