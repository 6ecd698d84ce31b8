#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/convolution_numbers.h"

namespace tpulab {

namespace {

ConvolutionExtents extents_of(const Type& x, const Shape& filter,
                              const ConvolutionOptions& options) {
  const std::int64_t groups = options.groups;
  const bool fits = x.shape.rank() == 4 && filter.rank() == 4 && groups >= 1 &&
                    x.shape[3] == filter[2] * groups && filter[3] % groups == 0;
  if (!fits) {
    throw Error(
        fmt::format("conv2d: {} and filter {} do not fit in {} groups; give [b,h,w,c] and "
                    "[fh,fw,c/groups,o], o a multiple of the groups",
                    text_of(x.dtype, x.shape), text_of(x.dtype, filter), groups));
  }
  return {.grid = window_grid("conv2d", x, filter[0], filter[1], options.stride, options.padding),
          .inputs = x.shape[3],
          .outputs = filter[3],
          .groups = groups};
}

// The same options stand in the op and in both of its gradients.
class ConvolutionOp : public Op {
 public:
  explicit ConvolutionOp(const ConvolutionOptions& options) : options_(options) {}

  std::string_view name() const override { return "convolution"; }
  std::string attributes() const override {
    return fmt::format("stride={} padding={} groups={} passes={}", options_.stride,
                       text_of(options_.padding), options_.groups, passes_of(options_.precision));
  }

 protected:
  OpTraits traits_of(std::uint8_t images) const {
    return {.rounds = options_.precision == MatmulPrecision::default_, .images = images};
  }
  // Depthwise: a multiplication and an addition per tap of each output, on the vector unit.
  Work work_of(const ConvolutionExtents& extents, std::span<const Type> inputs,
               MatrixWork product) const {
    const WindowGrid& grid = extents.grid;
    if (extents.depthwise()) {
      return VectorWork{
          .shape = Shape{grid.batch, grid.out_height, grid.out_width, extents.outputs},
          .cheap = static_cast<int>(2 * grid.taps())};
    }
    const bool narrow = inputs[0].dtype == DType::bf16 && inputs[1].dtype == DType::bf16;
    product.batch = extents.groups;
    product.passes = narrow ? 1 : passes_of(options_.precision);
    return product;
  }
  static std::int64_t all_out_pixels(const ConvolutionExtents& extents) {
    return extents.grid.batch * extents.grid.out_pixels();
  }

  ConvolutionOptions options_;
};

// upstream [b,oh,ow,o], filter -> [b,h,w,c]; the image's extents are not in the upstream.
class ConvolutionInputGradient final : public ConvolutionOp {
 public:
  ConvolutionInputGradient(const ConvolutionOptions& options, std::int64_t height,
                           std::int64_t width)
      : ConvolutionOp(options), height_(height), width_(width) {}

  OpTraits traits() const override { return traits_of(1 | OpTraits::image_result); }
  std::string attributes() const override {
    return fmt::format("{} input_gradient={}x{}", ConvolutionOp::attributes(), height_, width_);
  }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& filter = inputs[1].shape;
    return {Shape{inputs[0].shape[0], height_, width_, filter[2] * options_.groups},
            inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const ConvolutionExtents extents =
        extents_of({out.shape, out.dtype}, inputs[1].shape, options_);
    convolve_back(extents, options_.precision, inputs[0], inputs[1], out, context);
  }
  // Each input pixel contracts over the taps that reach it: of all taps one in stride^2. Counted
  // per output pixel, which leaves as many operations as forward.
  Work work(std::span<const Type> inputs, const Type& output) const override {
    const ConvolutionExtents extents = extents_of(output, inputs[1].shape, options_);
    return work_of(extents, inputs,
                   {.m = all_out_pixels(extents),
                    .k = extents.grid.taps() * extents.group_outputs(),
                    .n = extents.group_inputs(),
                    .k_pieces = extents.grid.window_height});
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[1] == Stack::shared ? inputs[0] : Stack::none;
  }

 private:
  std::int64_t height_;
  std::int64_t width_;
};

// x, upstream -> [fh,fw,c/groups,o].
class ConvolutionFilterGradient final : public ConvolutionOp {
 public:
  ConvolutionFilterGradient(const ConvolutionOptions& options, const Shape& filter)
      : ConvolutionOp(options), filter_(filter) {}

  OpTraits traits() const override { return traits_of(1 | 2); }
  std::string attributes() const override {
    return fmt::format("{} filter_gradient", ConvolutionOp::attributes());
  }
  Type infer(std::span<const Type> inputs) const override {
    return {filter_, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const Type x{inputs[0].shape, inputs[0].dtype};
    correlate(extents_of(x, filter_, options_), options_.precision, inputs[0], inputs[1], out,
              context);
  }
  // Contracts over all output pixels of the batch.
  Work work(std::span<const Type> inputs, const Type&) const override {
    const ConvolutionExtents extents = extents_of(inputs[0], filter_, options_);
    return work_of(
        extents, inputs,
        {.m = extents.depth(), .k = all_out_pixels(extents), .n = extents.group_outputs()});
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    if (inputs[0] == Stack::shared && inputs[1] == Stack::shared) return Stack::shared;
    const bool rows = inputs[0] == Stack::rows && inputs[1] == Stack::rows;
    return rows ? Stack::partial : Stack::none;
  }

 private:
  Shape filter_;
};

class Convolution final : public ConvolutionOp {
 public:
  using ConvolutionOp::ConvolutionOp;

  OpTraits traits() const override { return traits_of(1 | OpTraits::image_result); }
  Type infer(std::span<const Type> inputs) const override {
    const ConvolutionExtents extents = extents_of(inputs[0], inputs[1].shape, options_);
    const WindowGrid& grid = extents.grid;
    return {Shape{grid.batch, grid.out_height, grid.out_width, extents.outputs}, inputs[0].dtype,
            joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const Type x{inputs[0].shape, inputs[0].dtype};
    convolve(extents_of(x, inputs[1].shape, options_), options_.precision, inputs[0], inputs[1],
             out, context);
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const Tensor x = inputs[0];
    const Tensor filter = inputs[1];
    const auto to_input =
        std::make_shared<const ConvolutionInputGradient>(options_, x.shape()[1], x.shape()[2]);
    const auto to_filter =
        std::make_shared<const ConvolutionFilterGradient>(options_, filter.shape());
    return {convert(upstream.graph->apply(to_input, {upstream, filter}), x.type().dtype),
            convert(upstream.graph->apply(to_filter, {x, upstream}), filter.type().dtype)};
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    const ConvolutionExtents extents = extents_of(inputs[0], inputs[1].shape, options_);
    return work_of(extents, inputs,
                   {.m = all_out_pixels(extents),
                    .k = extents.depth(),
                    .n = extents.group_outputs(),
                    .k_pieces = extents.grid.window_height});
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[1] == Stack::shared ? inputs[0] : Stack::none;
  }
};

}  // namespace

Tensor conv2d(Tensor x, Tensor filter, ConvolutionOptions options) {
  return x.graph->apply(std::make_shared<const Convolution>(options), {x, filter});
}

}  // namespace tpulab
