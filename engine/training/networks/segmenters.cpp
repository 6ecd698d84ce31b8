// Segmenters: a U-Net over volumes that says of each voxel which thing it belongs to.
#include <fmt/format.h>

#include <cmath>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

Tensor layer(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs,
             std::int64_t stride) {
  const Initial one{Initial::Kind::constant, 1};
  x = convolution(scope, name, x,
                  {.outputs = outputs,
                   .depth = 3,
                   .height = 3,
                   .width = 3,
                   .stride = stride,
                   .padding = Padding::by(1),
                   .bias = false});
  const Tensor scale = scope.parameter(name + ".scale", {outputs}, one);
  return relu(group_norm(x, outputs, scale, scope.parameter(name + ".bias", {outputs}, {})));
}

Tensor level(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs,
             std::int64_t stride) {
  return layer(scope, name + ".conv2", layer(scope, name + ".conv1", x, outputs, stride), outputs,
               1);
}

// Each voxel becomes eight.
Tensor doubled(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs) {
  const std::int64_t inputs = x.shape().at(-1);
  // As torch.nn.ConvTranspose3d starts it.
  const Initial initial{Initial::Kind::uniform,
                        1.0 / std::sqrt(8.0 * static_cast<double>(outputs))};
  const Tensor filter = scope.parameter(name + ".weight", {2, 2, 2, outputs, inputs}, initial);
  const Tensor bias = scope.parameter(name + ".bias", {outputs}, initial);
  const DType dtype = x.type().dtype;
  return add(transposed_convolution(x, convert(filter, dtype), 2, scope.precision()),
             convert(bias, dtype));
}

Tensor segmented(Scope& scope, Tensor x, const Example& example,
                 const std::vector<std::int64_t>& filters) {
  std::vector<Tensor> skipped;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    x = level(scope, fmt::format("down{}", i + 1), x, filters[i], i == 0 ? 1 : 2);
    skipped.push_back(x);
  }
  x = level(scope, "bottom", x, filters.back(), 2);
  for (std::size_t i = filters.size(); i > 0; --i) {
    const std::string name = fmt::format("up{}", i);
    x = concatenate({doubled(scope, name + ".double", x, filters[i - 1]), skipped[i - 1]}, 4);
    x = level(scope, name, x, filters[i - 1], 1);
  }
  return convolution(scope, "head", x, {.outputs = example.classes, .depth = 1});
}

// One array [rows, voxels] a class, so that voxels, not the few classes, lie side by side.
struct Voxels {
  Voxels(Tensor outputs, Tensor labels, const Example& example)
      : rows(outputs.shape()[0]), graph(*outputs.graph) {
    const Shape each{rows, example.labels};
    const Tensor kinds = reshape(labels, each);
    const auto above = [&](std::int64_t kind) {
      const auto limit = static_cast<double>(kind);
      return convert(greater(kinds, constant(graph, limit, {}, kinds.type().dtype)), DType::f32);
    };
    for (std::int64_t kind = 0; kind < example.classes; ++kind) {
      logits.push_back(convert(reshape(slice(outputs, 4, kind, 1), each), DType::f32));
      wanted.push_back(subtract(above(kind - 1), above(kind)));
      largest = kind == 0 ? logits[0] : maximum(largest, logits.back());
    }
  }
  Tensor number(double value) const { return scalar(graph, value); }

  // 2 |A and B| / (|A| + |B|) of each row, of one class.
  Tensor overlap(Tensor found, Tensor is) const {
    constexpr double smallest = 1e-6;  // as MLPerf's code
    const std::vector<int> voxels{1};
    const Tensor both = reduce_sum(multiply(found, is), voxels);
    const Tensor all = add(reduce_sum(found, voxels), reduce_sum(is, voxels));
    return divide(add(add(both, both), number(smallest)), add(all, number(smallest)));
  }

  std::int64_t rows;
  Graph& graph;
  std::vector<Tensor> logits;
  std::vector<Tensor> wanted;  // 1 where the voxel is of the class
  Tensor largest;              // of the logits
};

// Of the classes that are things.
Tensor mean_overlap(const Voxels& voxels, const std::vector<Tensor>& found) {
  Tensor sum;
  for (std::size_t kind = 1; kind < found.size(); ++kind) {
    const Tensor one = voxels.overlap(found[kind], voxels.wanted[kind]);
    sum = sum ? add(sum, one) : one;
  }
  return multiply(sum, voxels.number(1.0 / static_cast<double>(found.size() - 1)));
}

Tensor voxel_losses(Tensor outputs, Tensor labels, const Example& example) {
  const Voxels voxels(outputs, labels, example);
  std::vector<Tensor> found;
  Tensor sum;
  Tensor own;  // the logit of the class that is wanted
  for (std::size_t kind = 0; kind < voxels.logits.size(); ++kind) {
    const Tensor logit = subtract(voxels.logits[kind], voxels.largest);
    found.push_back(exponential(logit));
    const Tensor asked = multiply(logit, voxels.wanted[kind]);
    sum = sum ? add(sum, found.back()) : found.back();
    own = own ? add(own, asked) : asked;
  }
  for (Tensor& one : found) one = divide(one, sum);
  const Tensor entropy = reduce_mean(subtract(logarithm(sum), own), std::vector<int>{1});
  const Tensor missed = subtract(voxels.number(1), mean_overlap(voxels, found));
  return multiply(add(missed, entropy), voxels.number(0.5));
}

// The mean overlap of what is found of each thing with what there is.
Tensor overlaps(Tensor outputs, Tensor labels, const Example& example) {
  const Voxels voxels(outputs, labels, example);
  std::vector<Tensor> found;
  for (const Tensor& logit : voxels.logits) {
    found.push_back(
        subtract(voxels.number(1), convert(greater(voxels.largest, logit), DType::f32)));
  }
  return mean_overlap(voxels, found);
}

}  // namespace

Model segmenter(std::string name, std::vector<std::int64_t> filters) {
  return {.input = Input::volume,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [filters = std::move(filters)](
                         Scope& scope, Tensor x,
                         const Example& example) { return segmented(scope, x, example, filters); },
          .objective = {.losses = voxel_losses, .right = overlaps}};
}

}  // namespace tpulab
