// What elementwise ops share: how shapes, dtypes and stacked replicas fit, and the loops.
#pragma once

#include <memory>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

// Output element i from element i of each input. An input may also be a scalar, or (not the first)
// the last extents of the others ([n] under [b,t,n], a bias): with a bias, the op must be evaluated
// on whole arrays, not on slices.
class Elementwise : public Op {
 public:
  OpTraits traits() const override { return {.elementwise = true}; }
  // Shapes as above; dtypes as PyTorch promotes them: a scalar does not widen a tensor of its kind.
  Type infer(std::span<const Type> inputs) const override;
  // Rows of full shape stay rows beside shared scalars and biases.
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override;

 protected:
  // Whether op(sum of values) is the sum of op(values), for inputs of which some are partial.
  virtual bool keeps_sums(std::span<const Stack>) const { return false; }
};

// No gradient flows into numbers that are written into the step: scalars and constants.
bool fixed(Tensor input);

// `gradient` summed over the axes that `input` was repeated along, in the input's dtype.
Tensor sum_like(Tensor gradient, Tensor input);

// The gradient that flows into `input`; `gradient` is traced only if one does.
template <class Gradient>
Tensor flow_into(Tensor input, const Gradient& gradient) {
  return fixed(input) ? Tensor{} : sum_like(gradient(), input);
}

// Ops without attributes are one object for the whole process.
template <class Kind>
Tensor apply_one(std::initializer_list<Tensor> inputs) {
  static const auto op = std::make_shared<const Kind>();
  return inputs.begin()->graph->apply(op, inputs);
}

namespace detail {

template <bool left_scalar, bool right_scalar, class Function>
void binary_run(const float* left, const float* right, float* out, std::int64_t count,
                Function function) {
  if (count == 0) return;
  const float first_left = *left;
  const float first_right = *right;
  TPULAB_TURNS_APART
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = function(left_scalar ? first_left : left[i], right_scalar ? first_right : right[i]);
  }
}

}  // namespace detail

template <class Function>
void unary_loop(const ArrayView& x, const ArraySpan& out, const EvaluateContext& context,
                Function function) {
  for_chunks(context, out.elements(), chunk_elements, [&](std::int64_t first, std::int64_t last) {
    const float* from = x.data;
    float* to = out.data;
    TPULAB_TURNS_APART
    for (std::int64_t i = first; i < last; ++i) to[i] = function(from[i]);
  });
}

// out[i] = function(left[i], right[i]); sizes say which input is a scalar or a bias.
template <class Function>
void binary_loop(const ArrayView& left, const ArrayView& right, const ArraySpan& out,
                 const EvaluateContext& context, Function function) {
  const std::int64_t count = out.elements();
  const bool left_scalar = left.elements() != count;
  const bool right_scalar = right.elements() == 1 && count != 1;
  if (right.elements() == count || right_scalar) {
    for_chunks(context, count, chunk_elements, [&](std::int64_t first, std::int64_t last) {
      const float* l = left.data + (left_scalar ? 0 : first);
      const float* r = right.data + (right_scalar ? 0 : first);
      float* to = out.data + first;
      if (left_scalar) return detail::binary_run<true, false>(l, r, to, last - first, function);
      if (right_scalar) return detail::binary_run<false, true>(l, r, to, last - first, function);
      detail::binary_run<false, false>(l, r, to, last - first, function);
    });
    return;
  }
  const std::int64_t columns = right.elements();
  for_chunks(context, count / columns, chunk_elements / columns,
             [&](std::int64_t first, std::int64_t last) {
               for (std::int64_t row = first; row < last; ++row) {
                 detail::binary_run<false, false>(left.data + row * columns, right.data,
                                                  out.data + row * columns, columns, function);
               }
             });
}

// One op of one input. Rule: name, cost (per element), apply(x), gradient(x, output, upstream).
template <class Rule>
class Unary final : public Elementwise {
 public:
  std::string_view name() const override { return Rule::name; }
  std::string attributes() const override { return std::string(Rule::attributes); }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    unary_loop(inputs[0], out, context, [](float x) { return Rule::apply(x); });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor output,
                               Tensor upstream) const override {
    return {Rule::gradient(inputs[0], output, upstream)};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    VectorWork work = Rule::cost;
    work.shape = output.shape;
    return work;
  }
};

// One op of two inputs. Rule: name, attributes, cost (per element), apply(left, right),
// gradient(left, right, output, upstream), keeps_sums(left, right).
template <class Rule>
class Binary final : public Elementwise {
 public:
  std::string_view name() const override { return Rule::name; }
  OpTraits traits() const override {
    OpTraits traits = Elementwise::traits();
    traits.compares = requires { Rule::compares; };
    return traits;
  }
  std::string attributes() const override { return std::string(Rule::attributes); }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    binary_loop(inputs[0], inputs[1], out, context,
                [](float left, float right) { return Rule::apply(left, right); });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor output,
                               Tensor upstream) const override {
    return Rule::gradient(inputs[0], inputs[1], output, upstream);
  }
  Work work(std::span<const Type>, const Type& output) const override {
    VectorWork work = Rule::cost;
    work.shape = output.shape;
    return work;
  }

 protected:
  bool keeps_sums(std::span<const Stack> inputs) const override {
    return Rule::keeps_sums(inputs[0], inputs[1]);
  }
};

}  // namespace tpulab
