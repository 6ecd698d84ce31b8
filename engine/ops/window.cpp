#include "engine/ops/window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

WindowGrid window_grid(std::string_view op, const Type& image, const Shape& window,
                       std::int64_t stride, const Padding& padding) {
  const bool volumes = window.rank() == 3;
  if (image.shape.rank() != window.rank() + 2) {
    throw Error(fmt::format("{}: {} is no batch of {}", op, text_of(image.dtype, image.shape),
                            volumes ? "volumes; give [b,d,h,w,c]" : "images; give [b,h,w,c]"));
  }
  const std::string extents = fmt::format("{}", fmt::join(window.extents(), " x "));
  const auto positive = [](std::int64_t extent) { return extent >= 1; };
  if (!std::ranges::all_of(window.extents(), positive) || stride < 1 || padding.amount < 0) {
    throw Error(
        fmt::format("{}: a window of {}, stride {}, padding {} covers nothing; give "
                    "positive extents",
                    op, extents, stride, text_of(padding)));
  }
  const auto side = [&](int from_last) {
    const Side one =
        side_of(image.shape.at(-1 - from_last), window.at(-from_last), stride, padding);
    if (one.windows >= 1) return one;
    throw Error(
        fmt::format("{}: a window of {} does not fit into {} with padding {}; pad more "
                    "or take a smaller window",
                    op, extents, text_of(image.dtype, image.shape), text_of(padding)));
  };
  const Side across = side(1);
  const Side down = side(2);
  const Side through = volumes ? side(3) : Side{.windows = 1};
  return {.batch = image.shape[0],
          .depth = volumes ? image.shape[1] : 1,
          .height = image.shape.at(-3),
          .width = image.shape.at(-2),
          .window_depth = volumes ? window[0] : 1,
          .window_height = window.at(-2),
          .window_width = window.at(-1),
          .stride = stride,
          .front = through.before,
          .top = down.before,
          .left = across.before,
          .out_depth = through.windows,
          .out_height = down.windows,
          .out_width = across.windows};
}

}  // namespace tpulab
