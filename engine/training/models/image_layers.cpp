// Layers of image networks. XLA fuses elementwise work into the convolution that reads or makes it.
#include <algorithm>

#include "engine/training/models/layers.h"

namespace tpulab {

namespace {

constexpr std::int64_t lanes = 128;

double padding(std::int64_t extent) {
  const std::int64_t padded = (extent + lanes - 1) / lanes * lanes;
  return static_cast<double>(padded) / static_cast<double>(extent);
}

bool batch_in_lanes(std::int64_t batch, std::int64_t channels) {
  return padding(batch) < padding(channels) || batch % lanes == 0;
}

}  // namespace

// [batch, height, width, channels] as XLA lays it out: batch and channels are tiled, either of them
// along the lanes, what pads less [GC-perf: batches of 8 or 128 rows a core].
Operand Layers::image(const Shape& shape) const {
  if (batch_in_lanes(shape[0], shape[3])) {
    return {{shape[1], shape[2], shape[3], shape[0]}, options_.compute};
  }
  return {{shape[1], shape[2], shape[0], shape[3]}, options_.compute};
}

void Layers::convolve(const std::string& name, const ConvolutionLayer& shape, bool normalised,
                      bool gradient_of_input) {
  const std::int64_t pixels = shape.batch * shape.rows_out() * shape.columns_out();
  const std::int64_t taps = shape.window * shape.window;
  const Operand x = image({shape.batch, shape.height, shape.width, shape.inputs});
  const Operand y = image({shape.batch, shape.rows_out(), shape.columns_out(), shape.outputs});
  const Operand weight{{shape.window, shape.window, shape.inputs, shape.outputs}, options_.storage};
  MatrixWork down = product(1, pixels, taps * shape.inputs, shape.outputs);
  MatrixWork to_input = product(1, shape.batch * shape.height * shape.width,
                                taps * shape.outputs / (shape.stride * shape.stride), shape.inputs);
  const MatrixWork to_weight = product(1, taps * shape.inputs, pixels, shape.outputs);
  down.k_pieces = shape.window;
  to_input.k_pieces = shape.window;
  down.batch_in_lanes = batch_in_lanes(shape.batch, shape.outputs);
  to_input.batch_in_lanes = batch_in_lanes(shape.batch, shape.inputs);
  // Normalisation and relu of the input, sums of the result for its own normalisation.
  const VectorWork before{.shape = x.shape, .cheap = normalised ? 3 : 0};
  const VectorWork sums{.shape = y.shape, .cheap = normalised ? 3 : 2};
  forward(name, {{down, before, sums}, {passing(x), weight}, {y}}, true);
  const VectorWork derivative{.shape = y.shape, .cheap = normalised ? 6 : 1};
  // The upstream gradient, then what the forward pass kept.
  std::vector<Operand> upstream{passing(y)};
  if (normalised) {
    // The sums over the upstream gradient join the kernel that makes it.
    backward(name + " sums", {{VectorWork{.shape = y.shape, .cheap = 6}}, {y}, {}});
    upstream.push_back(passing(y));
  }
  if (gradient_of_input) {
    KernelWork work{{to_input, derivative}, upstream, {passing(x)}};
    work.reads.push_back(weight);
    if (shape.branches) {
      // The other branch's gradient is added and the relu before it undone in the same kernel.
      work.items.emplace_back(VectorWork{.shape = x.shape, .cheap = 2});
      work.reads.insert(work.reads.end(), {passing(x), x});
    }
    backward(name + " input", std::move(work), true);
  }
  KernelWork work{{to_weight, derivative, before}, upstream, {weight}};
  work.reads.push_back(x);
  backward(name + " weight", std::move(work), true);
  parameter(weight.shape, weight.shape.elements());
  keep(name, y, true);
}

void Layers::normalised_convolution(const std::string& name, const ConvolutionLayer& shape,
                                    bool gradient_of_input) {
  convolve(name, shape, true, gradient_of_input);
  for (int i = 0; i < 2; ++i) parameter({shape.outputs}, shape.outputs);
  block_.normalised.push_back(shape.outputs);
}

void Layers::plain_convolution(const std::string& name, const ConvolutionLayer& shape,
                               bool gradient_of_input) {
  convolve(name, shape, false, gradient_of_input);
  parameter({shape.outputs}, shape.outputs);
}

void Layers::joined_branches(const std::string& name, const Shape& shape) {
  const Operand x = image(shape);
  forward(name, {{VectorWork{.shape = x.shape, .cheap = 6}}, {passing(x), x}, {x}});
  keep(name, x, false);
}

void Layers::pool(const std::string& name, const Shape& input, const Shape& output, int window) {
  const Operand x = image(input);
  const Operand y = image(output);
  const int taps = window * window;
  forward(name, {{VectorWork{.shape = y.shape, .cheap = taps}}, {passing(x)}, {y}});
  backward(name,
           {{VectorWork{.shape = x.shape, .cheap = 2 * taps}}, {x, passing(y)}, {passing(x)}});
  keep(name, y, false);
}

}  // namespace tpulab
