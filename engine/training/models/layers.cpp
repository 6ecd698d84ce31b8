#include "engine/training/models/layers.h"

#include <algorithm>
#include <utility>

namespace tpulab {

namespace {

constexpr std::int64_t lanes = 128;

// Operations per parameter of an update, as optimizer.cpp traces them.
VectorWork update_operations(OptimizerKind kind, const Shape& shape) {
  if (kind == OptimizerKind::adam) return {.shape = shape, .cheap = 10, .medium = 3};
  return {.shape = shape, .cheap = 4};
}

}  // namespace

Bytes bytes_of(const Operand& operand) {
  return {operand.shape.elements() * bytes_of(operand.dtype)};
}

void Layers::forward(std::string name, KernelWork work, bool product) {
  block_.forward.push_back({std::move(name), std::move(work), product});
}

void Layers::backward(std::string name, KernelWork work, bool product) {
  block_.backward.push_back({std::move(name) + " gradient", std::move(work), product});
}

void Layers::keep(const std::string& name, const Operand& value, bool by_product, bool divided) {
  const Bytes bytes{bytes_of(value).value / (divided ? 1 : options_.tensor)};
  block_.saved += bytes;
  if (by_product) block_.saved_products += bytes;
  if (bytes > block_.largest) {
    block_.largest = bytes;
    block_.largest_name = name + " " + text_of(value.dtype, value.shape);
  }
}

MatrixWork Layers::product(std::int64_t batch, std::int64_t m, std::int64_t k,
                           std::int64_t n) const {
  return {.batch = batch,
          .m = m,
          .k = k,
          .n = n,
          .operand = options_.compute,
          .passes = options_.passes};
}

void Layers::parameter(const Shape& shape, std::int64_t whole) {
  block_.parameters += whole;
  block_.parameters_here += shape.elements();
  const std::int64_t share =
      (shape.elements() + options_.update_shards - 1) / options_.update_shards;
  const Shape part{std::max<std::int64_t>(1, (share + lanes - 1) / lanes), std::min(share, lanes)};
  const Operand value{part, options_.storage};
  KernelWork work{{update_operations(options_.optimizer, part)}, {value, value}, {value}};
  for (int state = 0; state < state_count({.kind = options_.optimizer}); ++state) {
    work.reads.push_back(value);
    work.writes.push_back(value);
  }
  block_.update.push_back({"update", std::move(work)});
}

void Layers::dense(const std::string& name, const Dense& shape) {
  const auto& [rows, inputs, outputs, epilogue, divided, bias, first, tied, last] = shape;
  const Operand x = activation({rows, inputs});
  const Operand y = activation({rows, outputs});
  const Operand weight{{inputs, outputs}, options_.storage};
  const VectorWork after{
      .shape = y.shape, .cheap = epilogue.cheap, .transcendental = epilogue.transcendental};
  KernelWork work{{product(1, rows, inputs, outputs), after}, {passing(x), weight}, {y}};
  for (int i = 0; i < epilogue.reads; ++i) work.reads.push_back(y);
  forward(name, std::move(work), true);
  block_.forward.back().last = last;
  keep(name, y, true, divided && epilogue.reads == 0);
  if (!first) {
    KernelWork to_input{{product(1, rows, outputs, inputs)}, {passing(y), weight}, {passing(x)}};
    if (epilogue.transcendental > 0) {
      to_input.items.emplace_back(
          VectorWork{.shape = y.shape, .cheap = 6, .transcendental = epilogue.transcendental});
      to_input.reads.push_back(y);
    }
    backward(name + " input", std::move(to_input), true);
  }
  KernelWork to_weight{{product(1, inputs, rows, outputs)}, {x, passing(y)}, {weight}};
  if (bias)
    to_weight.items.emplace_back(VectorWork{.shape = y.shape, .cheap = 1, .reduced_axis = 0});
  backward(name + " weight", std::move(to_weight), true);
  const std::int64_t shares = divided ? options_.tensor : 1;
  if (!tied) parameter(weight.shape, weight.shape.elements() * shares);
  if (bias) parameter({outputs}, outputs * shares);
}

void Layers::normalisation(const std::string& name, std::int64_t rows, std::int64_t width,
                           bool centred) {
  const Operand x = activation({rows, width});
  const Operand folded{{rows}, DType::f32};
  const VectorWork mean{.shape = x.shape, .cheap = 1, .reduced_axis = 1};
  const VectorWork variance{.shape = x.shape, .cheap = 2, .reduced_axis = 1};
  const VectorWork scaled{.shape = x.shape, .cheap = 3};
  const VectorWork weights{.shape = x.shape, .cheap = 4, .reduced_axis = 0};
  if (options_.row_blocks == RowBlocks::in_vmem) {
    KernelWork down{{variance, scaled}, {passing(x)}, {x}};
    KernelWork up{{variance, weights, scaled}, {passing(x), x}, {passing(x)}};
    if (centred) down.items.emplace_back(mean), up.items.emplace_back(mean);
    forward(name, std::move(down));
    backward(name, std::move(up));
  } else {
    if (centred) forward(name + " mean", {{mean}, {x}, {folded}});
    forward(name + " variance", {{variance}, {x, folded}, {folded}});
    forward(name + " scale", {{scaled}, {x, folded, folded}, {x}});
    backward(name + " sums", {{variance, mean, weights}, {x, x}, {folded, folded}});
    backward(name, {{scaled}, {x, x, folded}, {x}});
  }
  keep(name, x, false);
}

void Layers::pointwise(const std::string& name, const Shape& shape, Epilogue epilogue) {
  const Operand x = activation(shape);
  const VectorWork work{
      .shape = shape, .cheap = epilogue.cheap, .transcendental = epilogue.transcendental};
  KernelWork down{{work}, {}, {x}};
  for (int i = 0; i < epilogue.reads; ++i) down.reads.push_back(x);
  KernelWork up = down;
  up.items = {VectorWork{
      .shape = shape, .cheap = 2 * epilogue.cheap, .transcendental = epilogue.transcendental}};
  up.reads.push_back(x);
  if (epilogue.reads > 1) up.writes.push_back(x);
  forward(name, std::move(down));
  backward(name, std::move(up));
  keep(name, x, false);
}

void Layers::embedding(const std::string& name, std::int64_t tokens, std::int64_t vocabulary,
                       std::int64_t width) {
  const Operand rows = activation({tokens, width});
  const Operand table{{vocabulary, width}, options_.storage};
  const Operand ids{{tokens}, DType::s32};
  const Operand read{{tokens, width}, options_.storage};
  forward(name, {{VectorWork{.shape = rows.shape, .cheap = 1}}, {ids, read}, {rows}});
  backward(name, {{VectorWork{.shape = rows.shape, .cheap = 2}}, {ids, rows, read}, {table}});
  keep(name, rows, false);
}

void Layers::cross_entropy(const std::string& name, std::int64_t rows, std::int64_t classes) {
  const Operand logits = activation({rows, classes});
  const Operand folded{{rows}, DType::f32};
  const VectorWork maximum{.shape = logits.shape, .cheap = 1, .reduced_axis = 1};
  const VectorWork sum{.shape = logits.shape, .cheap = 2, .transcendental = 1, .reduced_axis = 1};
  const VectorWork down{.shape = logits.shape, .cheap = 3, .transcendental = 1};
  if (options_.row_blocks == RowBlocks::in_vmem) {
    forward(name, {{maximum, sum}, {logits}, {folded}});
  } else {
    forward(name + " maximum", {{maximum}, {logits}, {folded}});
    forward(name, {{sum}, {logits, folded}, {folded}});
  }
  backward(name, {{down}, {logits, folded}, {logits}});
}

}  // namespace tpulab
