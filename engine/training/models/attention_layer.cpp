// Attention: as one fused kernel a pass, or with the scores stored in HBM.
#include <algorithm>

#include "engine/training/models/layers.h"

namespace tpulab {

namespace {

// Whether the lanes hold the tokens or a head's width: what pads less.
Shape heads_shape(std::int64_t heads, std::int64_t tokens, std::int64_t width) {
  return width < 128 ? Shape{heads, width, tokens} : Shape{heads, tokens, width};
}

}  // namespace

void Layers::attention(const std::string& name, const AttentionLayer& shape) {
  options_.fused_attention ? fused_attention(name, shape) : stored_attention(name, shape);
  const Operand result = activation({shape.batch, shape.queries, shape.heads * shape.width});
  keep(name, result, false, true);
}

// Flash attention: the scores of a block of queries stay in VMEM. The backward pass makes them
// again in each of its two kernels, so that seven products follow the two of the forward pass.
void Layers::fused_attention(const std::string& name, const AttentionLayer& shape) {
  const std::int64_t groups = shape.batch * shape.heads;
  const std::int64_t queries =
      shape.causal ? std::max<std::int64_t>(1, shape.queries / 2) : shape.queries;
  const Operand query = activation(heads_shape(groups, shape.queries, shape.width));
  const Operand key =
      activation(heads_shape(shape.batch * shape.key_value_heads, shape.keys, shape.width));
  const Shape square{groups, queries, shape.keys};
  const MatrixWork score = product(groups, queries, shape.width, shape.keys);
  const MatrixWork value = product(groups, queries, shape.keys, shape.width);
  const MatrixWork turned = product(groups, shape.keys, queries, shape.width);
  block_.masked += (score.flops() + value.flops()) * ((shape.queries - queries) / queries);
  const VectorWork maximum{.shape = square, .cheap = 1, .reduced_axis = 2};
  const VectorWork sum{.shape = square, .cheap = 2, .transcendental = 1, .reduced_axis = 2};
  const VectorWork again{.shape = square, .cheap = 4, .transcendental = 1};
  forward(name, {{score, maximum, sum, value}, {query, key, key}, {query}}, false);
  backward(name + " keys",
           {{score, score, turned, turned, again}, {query, query, query, key, key}, {key, key}},
           false);
  backward(name + " queries", {{score, score, value, again}, {query, query, key, key}, {query}},
           false);
}

void Layers::stored_attention(const std::string& name, const AttentionLayer& shape) {
  const std::int64_t groups = shape.batch * shape.heads;
  const Operand query = activation(heads_shape(groups, shape.queries, shape.width));
  const Operand key =
      activation(heads_shape(shape.batch * shape.key_value_heads, shape.keys, shape.width));
  const Shape square{groups, shape.queries, shape.keys};
  const Operand scores = activation(square);
  const Operand folded{{groups, shape.queries}, DType::f32};
  const MatrixWork score = product(groups, shape.queries, shape.width, shape.keys);
  const MatrixWork value = product(groups, shape.queries, shape.keys, shape.width);
  const MatrixWork turned = product(groups, shape.keys, shape.queries, shape.width);
  const VectorWork maximum{.shape = square, .cheap = 2, .reduced_axis = 2};
  const VectorWork sum{.shape = square, .cheap = 2, .transcendental = 1, .reduced_axis = 2};
  const VectorWork scaled{.shape = square, .cheap = 2, .transcendental = 1};
  const VectorWork row_sum{.shape = square, .cheap = 2, .reduced_axis = 2};
  const VectorWork difference{.shape = square, .cheap = 3};
  forward(name + " scores", {{score, maximum}, {query, key}, {scores, folded}}, true);
  if (options_.row_blocks == RowBlocks::in_vmem) {
    forward(name + " softmax", {{sum, scaled}, {scores, folded}, {scores}});
    forward(name + " values", {{value}, {scores, key}, {query}}, true);
  } else {
    forward(name + " sum", {{sum}, {scores, folded}, {folded}});
    forward(name + " values", {{scaled, value}, {scores, folded, folded, key}, {query}}, true);
  }
  backward(name + " values", {{turned}, {scores, query}, {key}}, true);
  backward(name + " scores", {{score, row_sum}, {query, key, scores}, {scores, folded}}, true);
  backward(name + " softmax", {{difference}, {scores, scores, folded}, {scores}});
  backward(name + " queries", {{value}, {scores, key}, {query}}, true);
  backward(name + " keys", {{turned}, {scores, query}, {key}}, true);
  keep(name + " scores", scores, false, true);
}

}  // namespace tpulab
