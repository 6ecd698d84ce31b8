#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/general_op.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class Transpose final : public Op {
 public:
  explicit Transpose(std::vector<int> permutation) : permutation_(std::move(permutation)) {}

  std::string_view name() const override { return "transpose"; }
  std::string attributes() const override {
    return fmt::format("dimensions={}", fmt::join(permutation_, ","));
  }

  OpTraits traits() const override { return {.reorders = true}; }

  Type infer(std::span<const Type> inputs) const override {
    const Shape& from = inputs[0].shape;
    std::vector<int> sorted = permutation_;
    std::ranges::sort(sorted);
    bool each_once = static_cast<int>(sorted.size()) == from.rank();
    for (int axis = 0; each_once && axis < from.rank(); ++axis) {
      each_once = sorted[static_cast<std::size_t>(axis)] == axis;
    }
    if (!each_once) {
      throw Error(fmt::format("transpose: {} is no order of the axes of {}; name each axis once",
                              fmt::join(permutation_, ","), text_of(inputs[0].dtype, from)));
    }
    return {permuted(from), inputs[0].dtype, joined(inputs)};
  }

  // Runs along the result's last axis; the input's elements stand `step` apart.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const Shape strides = permuted(row_major_strides(inputs[0].shape));
    const int last = out.shape.rank() - 1;
    const std::int64_t width = std::max<std::int64_t>(out.shape.at(-1), 1);
    const std::int64_t step = strides.at(-1);
    for_chunks(context, out.elements() / width, chunk_elements / width,
               [&](std::int64_t run, std::int64_t end) {
                 for (; run < end; ++run) {
                   std::int64_t rest = run;
                   std::int64_t from = 0;
                   for (int axis = last - 1; axis >= 0; --axis) {
                     from += rest % out.shape[axis] * strides[axis];
                     rest /= out.shape[axis];
                   }
                   float* to = out.data + run * width;
                   for (std::int64_t i = 0; i < width; ++i) {
                     to[i] = inputs[0].data[from + i * step];
                   }
                 }
               });
  }

  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    std::vector<int> inverse(permutation_.size());
    for (std::size_t axis = 0; axis < permutation_.size(); ++axis) {
      inverse[static_cast<std::size_t>(permutation_[axis])] = static_cast<int>(axis);
    }
    return {transpose(upstream, inverse)};
  }

  // One move per element.
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const bool keeps_rows = !permutation_.empty() && permutation_[0] == 0;
    return inputs[0] == Stack::rows && !keeps_rows ? Stack::none : inputs[0];
  }

 private:
  Shape permuted(const Shape& shape) const {
    Shape result = shape;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      result[axis] = shape[permutation_[static_cast<std::size_t>(axis)]];
    }
    return result;
  }

  std::vector<int> permutation_;
};

}  // namespace

Tensor transpose(Tensor x, const std::vector<int>& permutation) {
  return x.graph->apply(std::make_shared<const Transpose>(permutation), {x});
}

}  // namespace tpulab
