#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "engine/base/error.h"
#include "engine/ops/convolution_numbers.h"

namespace tpulab {

namespace {

ConvolutionExtents extents_of(const Type& x, const Shape& filter,
                              const ConvolutionOptions& options) {
  const std::int64_t groups = options.groups;
  const bool volumes = filter.rank() == 5;
  const std::string name = volumes ? "conv3d" : "conv2d";
  const bool fits = (volumes || filter.rank() == 4) && x.shape.rank() == filter.rank() &&
                    groups >= 1 && x.shape.at(-1) == filter.at(-2) * groups &&
                    filter.at(-1) % groups == 0;
  if (!fits) {
    throw Error(
        fmt::format("{}: {} and filter {} do not fit in {} groups; give [b,{}h,w,c] and "
                    "[{}fh,fw,c/groups,o], o a multiple of the groups",
                    name, text_of(x.dtype, x.shape), text_of(x.dtype, filter), groups,
                    volumes ? "d," : "", volumes ? "fd," : ""));
  }
  const Shape window(filter.extents().first(static_cast<std::size_t>(filter.rank() - 2)));
  return {.grid = window_grid(name, x, window, options.stride, options.padding),
          .inputs = x.shape.at(-1),
          .outputs = filter.at(-1),
          .groups = groups};
}

// A batch of images, or of volumes, of these extents.
Shape batch_of(std::int64_t batch, std::span<const std::int64_t> spatial, std::int64_t channels) {
  std::vector<std::int64_t> all{batch};
  all.insert(all.end(), spatial.begin(), spatial.end());
  all.push_back(channels);
  return Shape(all);
}

Shape result_of(const ConvolutionExtents& extents, int rank) {
  const WindowGrid& grid = extents.grid;
  const std::array all{grid.out_depth, grid.out_height, grid.out_width};
  const auto spatial = std::span(all).last(static_cast<std::size_t>(rank - 2));
  return batch_of(grid.batch, spatial, extents.outputs);
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
    product.batch = extents.groups;
    if (extents.depthwise()) {
      return VectorWork{.shape = result_of(extents, inputs[0].shape.rank()),
                        .cheap = static_cast<int>(2 * extents.grid.taps()),
                        .convolved = product.flops()};
    }
    product.passes = passes_of(options_.precision, inputs[0].dtype, inputs[1].dtype);
    const bool sums_pixels = product.window == 0;
    return product.in_narrow_groups(extents.grid.out_pixels(), extents.grid.taps(), sums_pixels);
  }
  static std::int64_t all_out_pixels(const ConvolutionExtents& extents) {
    return extents.grid.batch * extents.grid.out_pixels();
  }

  ConvolutionOptions options_;
};

// upstream [b,oh,ow,o], filter -> [b,h,w,c]; the image's extents are not in the upstream.
class ConvolutionInputGradient final : public ConvolutionOp {
 public:
  ConvolutionInputGradient(const ConvolutionOptions& options, std::vector<std::int64_t> image)
      : ConvolutionOp(options), image_(std::move(image)) {}

  OpTraits traits() const override { return traits_of(1 | OpTraits::image_result); }
  std::string attributes() const override {
    return fmt::format("{} input_gradient={}", ConvolutionOp::attributes(), fmt::join(image_, "x"));
  }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& filter = inputs[1].shape;
    return {batch_of(inputs[0].shape[0], image_, filter.at(-2) * options_.groups), inputs[0].dtype,
            joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const ConvolutionExtents extents =
        extents_of({out.shape, out.dtype}, inputs[1].shape, options_);
    convolve_back(extents, options_.precision, inputs[0], inputs[1], out, context);
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override;
  // Each input pixel contracts over the taps that reach it: of all taps one in stride^2. Counted
  // per output pixel, which leaves as many operations as forward.
  Work work(std::span<const Type> inputs, const Type& output) const override {
    const ConvolutionExtents extents = extents_of(output, inputs[1].shape, options_);
    return work_of(extents, inputs,
                   {.m = all_out_pixels(extents),
                    .k = extents.grid.taps() * extents.group_outputs(),
                    .n = extents.group_inputs(),
                    .k_pieces = extents.grid.window_rows(),
                    .window = extents.grid.taps()});
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[1] == Stack::shared ? inputs[0] : Stack::none;
  }

 private:
  std::vector<std::int64_t> image_;
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
    return {result_of(extents, inputs[0].shape.rank()), inputs[0].dtype, joined(inputs)};
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
    const auto extents = x.shape().extents();
    const auto to_input = std::make_shared<const ConvolutionInputGradient>(
        options_, std::vector(extents.begin() + 1, extents.end() - 1));
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
                    .k_pieces = extents.grid.window_rows(),
                    .window = extents.grid.taps()});
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[1] == Stack::shared ? inputs[0] : Stack::none;
  }
};

// It is linear in both: what flows back is the convolution itself, of the image's slope.
std::vector<Tensor> ConvolutionInputGradient::gradient(std::span<const Tensor> inputs, Tensor,
                                                       Tensor upstream) const {
  Graph& graph = *upstream.graph;
  const Tensor filter = inputs[1];
  const auto to_filter =
      std::make_shared<const ConvolutionFilterGradient>(options_, filter.shape());
  return {convert(graph.apply(std::make_shared<const Convolution>(options_), {upstream, filter}),
                  inputs[0].type().dtype),
          convert(graph.apply(to_filter, {upstream, inputs[0]}), filter.type().dtype)};
}

}  // namespace

Tensor conv2d(Tensor x, Tensor filter, ConvolutionOptions options) {
  return x.graph->apply(std::make_shared<const Convolution>(options), {x, filter});
}

Tensor conv3d(Tensor x, Tensor filter, ConvolutionOptions options) {
  if (filter.shape().rank() != 5) {
    throw Error(fmt::format("conv3d: a filter has [fd,fh,fw,c/groups,o], not {}",
                            text_of(filter.type().dtype, filter.shape())));
  }
  return conv2d(x, filter, options);
}

Tensor transposed_convolution(Tensor x, Tensor filter, std::int64_t stride,
                              MatmulPrecision precision) {
  const ConvolutionOptions options{
      .stride = stride, .padding = Padding::valid(), .precision = precision};
  const Shape& shape = x.shape();
  std::vector<std::int64_t> image;
  for (int axis = 1; axis + 1 < shape.rank(); ++axis) {
    image.push_back((shape[axis] - 1) * stride + filter.shape()[axis - 1]);
  }
  const Type result{batch_of(shape[0], image, filter.shape().at(-2)), x.type().dtype};
  if (result_of(extents_of(result, filter.shape(), options), shape.rank()) != shape) {
    throw Error(
        fmt::format("transposed convolution: filter {} does not make {}; give [fh,fw,c,o] "
                    "or [fd,fh,fw,c,o], o the channels that are there",
                    text_of(filter.type().dtype, filter.shape()), text_of(x.type().dtype, shape)));
  }
  const auto op = std::make_shared<const ConvolutionInputGradient>(options, image);
  return x.graph->apply(op, {x, filter});
}

}  // namespace tpulab
