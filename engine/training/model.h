// The network that is trained: a multilayer perceptron with ReLU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/array.h"
#include "engine/graph/graph.h"
#include "engine/ops/ops.h"

namespace tpulab {

struct Parameter {
  std::string name;  // "layer1.weight"
  Shape shape;
};

struct Mlp {
  std::vector<std::int64_t> widths;  // inputs, hidden ..., classes

  std::int64_t parameter_count() const;
  std::string name() const;  // "mlp 64-1024-1024-10"
  // Weights [inputs, outputs] and biases [outputs], layer by layer.
  std::vector<Parameter> parameters() const;
  // Values in that order, uniform in +-1/sqrt(inputs): torch.nn.Linear's default.
  std::vector<Array> initialise(std::uint64_t seed) const;
  // x [rows, inputs] -> logits [rows, classes]; parameters in that order.
  Tensor forward(Tensor x, std::span<const Tensor> parameters, MatmulPrecision precision) const;
};

}  // namespace tpulab
