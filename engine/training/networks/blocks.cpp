#include "engine/training/networks/blocks.h"

#include <cmath>

namespace tpulab {

namespace {

Initial by_inputs(std::int64_t inputs) {
  return {Initial::Kind::uniform, 1.0f / std::sqrt(static_cast<float>(inputs))};
}

Initial everywhere(double value) { return {Initial::Kind::constant, value}; }

Tensor product(Tensor x, Tensor weight, MatmulPrecision precision) {
  const MatmulOptions options{.precision = precision};
  return x.shape().rank() == 2 ? matmul(x, weight, options) : batch_matmul(x, weight, options);
}

Tensor weighted(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs) {
  const std::int64_t inputs = x.shape().at(-1);
  const Tensor weight = scope.parameter(name + ".weight", {inputs, outputs}, by_inputs(inputs));
  return product(x, convert(weight, x.type().dtype), scope.precision());
}

Tensor with_bias(Scope& scope, const std::string& name, Tensor y, Initial initial) {
  const Tensor bias = scope.parameter(name + ".bias", {y.shape().at(-1)}, initial);
  return add(y, convert(bias, y.type().dtype));
}

}  // namespace

Tensor dense(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs) {
  const std::int64_t inputs = x.shape().at(-1);
  const Tensor y = weighted(scope, name, x, outputs);
  return with_bias(scope, name, y, by_inputs(inputs));
}

Tensor convolution(Scope& scope, const std::string& name, Tensor x, const ConvolutionSizes& sizes) {
  const std::int64_t channels = x.shape().at(-1);
  const Initial initial = by_inputs(sizes.height * sizes.width * channels);
  const Tensor filter = scope.parameter(
      name + ".weight", {sizes.height, sizes.width, channels, sizes.outputs}, initial);
  const Tensor y =
      conv2d(x, convert(filter, x.type().dtype),
             {.stride = sizes.stride, .padding = sizes.padding, .precision = scope.precision()});
  return sizes.bias ? with_bias(scope, name, y, initial) : y;
}

Tensor batch_normalised(Scope& scope, const std::string& name, Tensor x) {
  const std::int64_t channels = x.shape().at(-1);
  const Tensor scale = scope.parameter(name + ".weight", {channels}, everywhere(1));
  return batch_norm(x, scale, scope.parameter(name + ".bias", {channels}, everywhere(0))).output;
}

Tensor layer_normalised(Scope& scope, const std::string& name, Tensor x) {
  const std::int64_t width = x.shape().at(-1);
  const Tensor scale = scope.parameter(name + ".weight", {width}, everywhere(1));
  return layer_norm(x, scale, scope.parameter(name + ".bias", {width}, everywhere(0)));
}

Tensor rms_normalised(Scope& scope, const std::string& name, Tensor x) {
  return rms_norm(x, scope.parameter(name + ".weight", {x.shape().at(-1)}, everywhere(1)));
}

Tensor self_attention(Scope& scope, const std::string& name, Tensor x,
                      const AttentionSizes& sizes) {
  const std::int64_t width = x.shape().at(-1);
  const std::int64_t shared_width = width / sizes.heads * sizes.shared;
  Tensor q = split_heads(weighted(scope, name + ".query", x, width), sizes.heads);
  Tensor k = split_heads(weighted(scope, name + ".key", x, shared_width), sizes.shared);
  const Tensor v = split_heads(weighted(scope, name + ".value", x, shared_width), sizes.shared);
  if (sizes.rotary) {
    q = rotary_embedding(q);
    k = rotary_embedding(k);
  }
  const Tensor mixed = attention(q, k, v, {.causal = sizes.causal, .precision = scope.precision()});
  return dense(scope, name + ".output", merge_heads(mixed), width);
}

Tensor flattened(Tensor x) {
  const std::int64_t rows = x.shape()[0];
  return reshape(x, {rows, x.shape().elements() / rows});
}

}  // namespace tpulab
