#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/error.h"
#include "engine/ops/window.h"

namespace tpulab {

namespace {

WindowGrid grid_of(const Type& image, const PoolOptions& options) {
  return window_grid("pool2d", image, {options.window, options.window}, options.stride,
                     options.padding);
}

int taps_of(const PoolOptions& options) {
  return static_cast<int>(options.window * options.window);
}

// Calls visit(out, in) with the offsets of elements, for each tap of each image and channel.
template <class Visit>
void for_each_pair(const WindowGrid& grid, std::int64_t channels, const Visit& visit) {
  for (std::int64_t image = 0; image < grid.batch; ++image) {
    grid.for_each_tap([&](std::int64_t out, std::int64_t, std::int64_t pixel) {
      const std::int64_t to = (image * grid.out_pixels() + out) * channels;
      const std::int64_t from = (image * grid.pixels() + pixel) * channels;
      for (std::int64_t i = 0; i < channels; ++i) visit(to + i, from + i);
    });
  }
}

class PoolOp : public Op {
 public:
  explicit PoolOp(const PoolOptions& options) : options_(options) {}

  OpTraits traits() const override { return {.images = 1 | 2 | OpTraits::image_result}; }
  std::string attributes() const override {
    return fmt::format("window={} stride={} padding={}", options_.window, options_.stride,
                       text_of(options_.padding));
  }
  // Images are independent of each other.
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const bool same = std::ranges::all_of(inputs, [&](Stack held) { return held == inputs[0]; });
    return same && inputs[0] != Stack::partial ? inputs[0] : Stack::none;
  }

 protected:
  Type pooled(std::span<const Type> inputs) const {
    const WindowGrid grid = grid_of(inputs[0], options_);
    return {Shape{grid.batch, grid.out_height, grid.out_width, inputs[0].shape[3]}, inputs[0].dtype,
            joined(inputs)};
  }

  PoolOptions options_;
};

// x, upstream -> the upstream at the first of the largest in each window.
class MaxPoolGradient final : public PoolOp {
 public:
  using PoolOp::PoolOp;

  std::string_view name() const override { return "select-and-scatter"; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const ArrayView& x = inputs[0];
    const WindowGrid grid = grid_of({x.shape, x.dtype}, options_);
    std::vector<std::int64_t> best(static_cast<std::size_t>(inputs[1].elements()), -1);
    for_each_pair(grid, x.shape[3], [&](std::int64_t to, std::int64_t from) {
      std::int64_t& found = best[static_cast<std::size_t>(to)];
      if (found < 0 || x[from] > x[found]) found = from;
    });
    std::ranges::fill(out.values(), 0.0f);
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i] >= 0) out[best[i]] += inputs[1][static_cast<std::int64_t>(i)];
    }
  }
  // Each tap is compared and added to.
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[1].shape, .cheap = 2 * taps_of(options_)};
  }
};

class MaxPool final : public PoolOp {
 public:
  using PoolOp::PoolOp;

  std::string_view name() const override { return "reduce-window"; }
  std::string attributes() const override { return "max " + PoolOp::attributes(); }
  Type infer(std::span<const Type> inputs) const override { return pooled(inputs); }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const ArrayView& x = inputs[0];
    std::ranges::fill(out.values(), -std::numeric_limits<float>::infinity());
    for_each_pair(
        grid_of({x.shape, x.dtype}, options_), x.shape[3],
        [&](std::int64_t to, std::int64_t from) { out[to] = std::max(out[to], x[from]); });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const auto op = std::make_shared<const MaxPoolGradient>(options_);
    return {upstream.graph->apply(op, {inputs[0], upstream})};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = taps_of(options_)};
  }
};

// upstream / taps to each tap.
class AveragePoolGradient final : public PoolOp {
 public:
  AveragePoolGradient(const PoolOptions& options, const Shape& image)
      : PoolOp(options), height_(image[1]), width_(image[2]) {}

  std::string_view name() const override { return "reduce-window"; }
  std::string attributes() const override {
    return fmt::format("average-gradient={}x{} {}", height_, width_, PoolOp::attributes());
  }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& from = inputs[0].shape;
    return {Shape{from[0], height_, width_, from[3]}, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::fill(out.values(), 0.0f);
    const auto taps = static_cast<float>(taps_of(options_));
    for_each_pair(grid_of({out.shape, out.dtype}, options_), out.shape[3],
                  [&](std::int64_t to, std::int64_t from) { out[from] += inputs[0][to] / taps; });
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = taps_of(options_)};
  }

 private:
  std::int64_t height_;
  std::int64_t width_;
};

class AveragePool final : public PoolOp {
 public:
  using PoolOp::PoolOp;

  std::string_view name() const override { return "reduce-window"; }
  std::string attributes() const override { return "average " + PoolOp::attributes(); }
  Type infer(std::span<const Type> inputs) const override { return pooled(inputs); }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const ArrayView& x = inputs[0];
    std::ranges::fill(out.values(), 0.0f);
    for_each_pair(grid_of({x.shape, x.dtype}, options_), x.shape[3],
                  [&](std::int64_t to, std::int64_t from) { out[to] += x[from]; });
    const auto taps = static_cast<float>(taps_of(options_));
    for (float& value : out.values()) value /= taps;
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const auto op = std::make_shared<const AveragePoolGradient>(options_, inputs[0].shape());
    return {upstream.graph->apply(op, {upstream})};
  }
  // taps - 1 additions and a multiplication
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = taps_of(options_)};
  }
};

}  // namespace

Tensor max_pool2d(Tensor x, PoolOptions options) {
  return x.graph->apply(std::make_shared<const MaxPool>(options), {x});
}

Tensor average_pool2d(Tensor x, PoolOptions options) {
  return x.graph->apply(std::make_shared<const AveragePool>(options), {x});
}

Tensor global_average_pool(Tensor x) {
  if (x.shape().rank() != 4) {
    throw Error(fmt::format("global_average_pool: {} is no batch of images; give [b,h,w,c]",
                            text_of(x.type().dtype, x.shape())));
  }
  return reduce_mean(x, {1, 2});
}

}  // namespace tpulab
