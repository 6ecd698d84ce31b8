// An op by its parts: for programs that come from elsewhere, in the generality of StableHLO.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace tpulab {

struct GeneralOp {
  std::string name{};        // XLA's word
  std::string attributes{};  // all that tells it from others of this name
  OpTraits traits{};
  Type type{};  // of the result; placement follows the inputs
  Work work{};
  // Writes every element of `out`. Empty: the op is priced, and evaluating it throws Error.
  using Numbers = std::function<void(std::span<const ArrayView> inputs, const ArraySpan& out,
                                     const EvaluateContext& context)>;
  Numbers numbers{};
};

// Appends it. The op has no gradient: imported programs bring theirs along.
Tensor apply_general(Graph& graph, GeneralOp op, std::span<const Tensor> inputs);

// Of an op of a program from elsewhere: false where evaluating it throws Error.
bool is_computed(const Op& op);

// Throws Error naming `op` for a product of more operations than any TPU is given at once.
void check_operations(std::string_view op, const MatrixWork& work);

// Steps through an array's elements in order: offset(i) = sum over axes of index * stride.
class Strider {
 public:
  Strider(const Shape& shape, std::span<const std::int64_t> strides);

  std::int64_t offset() const { return offset_; }
  const Shape& index() const { return at_; }
  void next();

 private:
  Shape shape_;
  Shape strides_;
  Shape at_;
  std::int64_t offset_ = 0;
};

// The product of the extents of some axes.
std::int64_t product_of(const Shape& shape, const std::vector<std::int64_t>& axes);

// Elements between neighbours along each axis, row-major.
Shape row_major_strides(const Shape& shape);

}  // namespace tpulab
