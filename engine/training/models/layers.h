// The layers of networks as the kernels that XLA makes of their forward and backward passes.
#pragma once

#include <span>

#include "engine/training/workload.h"

namespace tpulab {

struct AttentionLayer {
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t key_value_heads = 1;
  std::int64_t queries = 1;  // tokens that ask
  std::int64_t keys = 1;     // tokens that are asked
  std::int64_t width = 1;    // of one head
  bool causal = false;       // a fused kernel skips the half that is masked
};

// What follows a product inside its kernel, an element at a time.
struct Epilogue {
  int cheap = 1;
  int transcendental = 0;
  int reads = 0;  // further arrays of the result's shape
};

// y = x w + b, on this device.
struct Dense {
  std::int64_t rows = 1;
  std::int64_t inputs = 1;
  std::int64_t outputs = 1;
  Epilogue epilogue = {};
  bool divided = true;  // its weight is divided between the devices of a tensor group
  bool bias = true;
  bool first = false;  // no gradient of its input is needed
  bool tied = false;   // its weight is another layer's parameter
  bool last = false;   // its result is the layer's
};

// Adds layers to a block: kernels of both passes, parameters, kept activations.
class Layers {
 public:
  Layers(Block& block, const WorkOptions& options) : block_(block), options_(options) {}

  void dense(const std::string& name, const Dense& shape);
  // Layer normalisation, or root-mean-square normalisation if `centred` is false.
  void normalisation(const std::string& name, std::int64_t rows, std::int64_t width,
                     bool centred = true);
  void attention(const std::string& name, const AttentionLayer& shape);
  // An elementwise kernel between products that is kept for the backward pass.
  void pointwise(const std::string& name, const Shape& shape, Epilogue epilogue);
  // Rows of a table [vocabulary, width].
  void embedding(const std::string& name, std::int64_t tokens, std::int64_t vocabulary,
                 std::int64_t width);
  // Logits [rows, classes] against labels.
  void cross_entropy(const std::string& name, std::int64_t rows, std::int64_t classes);
  // A parameter that is shared by the tensor group; `whole` counts it on all of them.
  void parameter(const Shape& shape, std::int64_t whole);

 private:
  // Arrays that a tensor group does not divide by itself are kept in as many parts.
  void keep(const std::string& name, const Operand& value, bool by_product, bool divided = false);
  Operand activation(const Shape& shape) const { return {shape, options_.compute}; }
  // As the kernel before left it, or for the kernel behind alone.
  static Operand passing(Operand operand) {
    operand.passing = true;
    return operand;
  }
  void forward(std::string name, KernelWork work, bool product = false);
  void backward(std::string name, KernelWork work, bool product = false);
  void fused_attention(const std::string& name, const AttentionLayer& shape);
  void stored_attention(const std::string& name, const AttentionLayer& shape);
  MatrixWork product(std::int64_t batch, std::int64_t m, std::int64_t k, std::int64_t n) const;

  Block& block_;
  const WorkOptions& options_;
};

// Bytes of an array in HBM, padded to tiles where that is known without a machine: unpadded here.
Bytes bytes_of(const Operand& operand);

}  // namespace tpulab
