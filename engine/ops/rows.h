// Ops over rows: arrays seen as [rows, n], where n is the last axis, beside values that belong to
// one row or to one column. Norms and softmax are made of these.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

// What an input is to the first one [..,n], which is always `whole`: an array of its shape, one
// value per row [..], or one per column [n].
enum class Part : std::uint8_t { whole, row, column };

// Throws Error naming the op where the shapes are not those of `parts`.
void check_parts(std::string_view op, std::span<const Part> parts, std::span<const Type> inputs);
// Rows if whole arrays and row values are rows and column values are shared.
Stack stack_of_parts(std::span<const Part> parts, std::span<const Stack> inputs,
                     std::span<const Type> types);
// The extents without the last one.
Shape without_last(const Shape& shape);

// A rule says what happens to one element. It has
//   name, attributes(), parts, cost (per element, without shape),
//   apply(float...) -> float, one argument per input,
//   and, unless it only serves a gradient, gradient(inputs, output, upstream).
template <class Rule>
class RowRule : public Op {
 public:
  explicit RowRule(Rule rule) : rule_(rule) {}

  std::string_view name() const override { return Rule::name; }
  std::string attributes() const override { return rule_.attributes(); }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor output,
                               Tensor upstream) const override {
    if constexpr (requires { rule_.gradient(inputs, output, upstream); }) {
      return rule_.gradient(inputs, output, upstream);
    } else {
      return Op::gradient(inputs, output, upstream);
    }
  }

 protected:
  float element(std::span<const ArrayView> inputs, std::int64_t row, std::int64_t column,
                std::int64_t width) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return rule_.apply(inputs[i].data[offset<Rule::parts[i]>(row, column, width)]...);
    }
    (std::make_index_sequence<Rule::parts.size()>());
  }

  VectorWork work_along(const Type& whole, int reduced_axis) const {
    VectorWork work = Rule::cost;
    work.shape = whole.shape;
    work.reduced_axis = reduced_axis;
    return work;
  }

 private:
  template <Part part>
  static std::int64_t offset(std::int64_t row, std::int64_t column, std::int64_t width) {
    if (part == Part::whole) return row * width + column;
    return part == Part::row ? row : column;
  }

  Rule rule_;
};

// out[r,c] = apply(...), of the first input's shape and dtype.
template <class Rule>
class RowMap final : public RowRule<Rule> {
 public:
  using RowRule<Rule>::RowRule;

  OpTraits traits() const override { return {.elementwise = true}; }
  Type infer(std::span<const Type> inputs) const override {
    check_parts(Rule::name, Rule::parts, inputs);
    return {inputs[0].shape, inputs[0].dtype, Op::joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = std::max<std::int64_t>(out.shape.at(-1), 1);
    for_chunks(context, out.elements() / width, chunk_elements / width,
               [&](std::int64_t row, std::int64_t end) {
                 for (; row < end; ++row) {
                   float* to = out.data + row * width;
                   for (std::int64_t i = 0; i < width; ++i) {
                     to[i] = this->element(inputs, row, i, width);
                   }
                 }
               });
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return this->work_along(inputs[0], -1);
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    return stack_of_parts(Rule::parts, inputs, types);
  }
};

// XLA makes a second kernel of what follows from some sums alone, such as 1 / sqrt(variance): so
// their rules say. [TPU: BERT's layers and a decoder's have one for each sum of a norm, forward and
// backward, and one for each of a softmax]
template <class Rule>
constexpr int kernels_of_sum() {
  if constexpr (requires { Rule::kernels; }) {
    return Rule::kernels;
  } else {
    return 1;
  }
}

// out[r] = sum over c of apply(...) / divisor, in f32.
template <class Rule>
class RowSum final : public RowRule<Rule> {
 public:
  RowSum(Rule rule, std::int64_t divisor) : RowRule<Rule>(rule), divisor_(divisor) {}

  OpTraits traits() const override { return {.reduces = true, .kernels = kernels_of_sum<Rule>()}; }
  std::string attributes() const override {
    return RowRule<Rule>::attributes() + " over=row divisor=" + std::to_string(divisor_);
  }
  Type infer(std::span<const Type> inputs) const override {
    check_parts(Rule::name, Rule::parts, inputs);
    return {without_last(inputs[0].shape), DType::f32, Op::joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = inputs[0].shape.at(-1);
    for_chunks(context, out.elements(), chunk_elements / std::max<std::int64_t>(width, 1),
               [&](std::int64_t row, std::int64_t end) {
                 for (; row < end; ++row) {
                   double sum = 0;
                   for (std::int64_t i = 0; i < width; ++i) {
                     sum += static_cast<double>(this->element(inputs, row, i, width));
                   }
                   out[row] = static_cast<float>(sum / static_cast<double>(divisor_));
                 }
               });
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return this->work_along(inputs[0], inputs[0].shape.rank() - 1);
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    return stack_of_parts(Rule::parts, inputs, types);
  }

 private:
  std::int64_t divisor_;
};

// out[c] = sum over r of apply(...) / divisor. The divisor is one core's and fixed when traced, so
// that stacked rows give the sum over the cores.
template <class Rule>
class ColumnSum final : public RowRule<Rule> {
 public:
  ColumnSum(Rule rule, std::int64_t divisor, DType dtype)
      : RowRule<Rule>(rule), divisor_(divisor), dtype_(dtype) {}

  OpTraits traits() const override { return {.reduces = true, .kernels = kernels_of_sum<Rule>()}; }
  std::string attributes() const override {
    return RowRule<Rule>::attributes() + " over=column divisor=" + std::to_string(divisor_);
  }
  Type infer(std::span<const Type> inputs) const override {
    check_parts(Rule::name, Rule::parts, inputs);
    return {Shape{inputs[0].shape.at(-1)}, dtype_, Op::joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = out.elements();
    const std::int64_t rows = width == 0 ? 0 : inputs[0].elements() / width;
    for_chunks(context, width, 64, [&](std::int64_t first, std::int64_t last) {
      std::array<double, 64> sums{};
      for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t i = first; i < last; ++i) {
          sums[static_cast<std::size_t>(i - first)] +=
              static_cast<double>(this->element(inputs, row, i, width));
        }
      }
      for (std::int64_t i = first; i < last; ++i) {
        const double sum = sums[static_cast<std::size_t>(i - first)];
        out[i] = static_cast<float>(sum / static_cast<double>(divisor_));
      }
    });
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return this->work_along(inputs[0], 0);
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type> types) const override {
    const Stack held = stack_of_parts(Rule::parts, inputs, types);
    return held == Stack::rows ? Stack::partial : held;
  }

 private:
  std::int64_t divisor_;
  DType dtype_;
};

template <class Rule>
Tensor row_map(Rule rule, std::initializer_list<Tensor> inputs) {
  return inputs.begin()->graph->apply(std::make_shared<const RowMap<Rule>>(rule), inputs);
}
template <class Rule>
Tensor row_sum(Rule rule, std::initializer_list<Tensor> inputs) {
  return inputs.begin()->graph->apply(std::make_shared<const RowSum<Rule>>(rule, 1), inputs);
}
template <class Rule>
Tensor row_mean(Rule rule, std::initializer_list<Tensor> inputs) {
  const std::int64_t width = inputs.begin()->shape().at(-1);
  return inputs.begin()->graph->apply(std::make_shared<const RowSum<Rule>>(rule, width), inputs);
}
// Sum over the rows, in the dtype of `like`.
template <class Rule>
Tensor column_sum(Rule rule, std::initializer_list<Tensor> inputs, Tensor like) {
  const DType dtype = like.type().dtype;
  return inputs.begin()->graph->apply(std::make_shared<const ColumnSum<Rule>>(rule, 1, dtype),
                                      inputs);
}
template <class Rule>
Tensor column_mean(Rule rule, std::initializer_list<Tensor> inputs) {
  const Shape& shape = inputs.begin()->shape();
  const std::int64_t rows = shape.elements() / std::max<std::int64_t>(shape.at(-1), 1);
  return inputs.begin()->graph->apply(
      std::make_shared<const ColumnSum<Rule>>(rule, rows, DType::f32), inputs);
}

// The array itself: what a plain sum or mean adds.
struct Itself {
  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{Part::whole};
  static constexpr VectorWork cost{.shape = {}, .cheap = 1};
  std::string attributes() const { return "add"; }
  float apply(float x) const { return x; }
};

struct Square {
  static constexpr std::string_view name = "reduce";
  static constexpr std::array parts{Part::whole};
  static constexpr VectorWork cost{.shape = {}, .cheap = 2};
  std::string attributes() const { return "add x^2"; }
  float apply(float x) const { return x * x; }
};

// The same where a kernel of its own makes of the sum what the elements need.
struct ItselfOfNorm : Itself {
  static constexpr int kernels = 2;
};
struct SquareOfNorm : Square {
  static constexpr int kernels = 2;
};

}  // namespace tpulab
