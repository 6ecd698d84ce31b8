#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/ops.h"

namespace tpulab {

int passes_of(MatmulPrecision precision) {
  switch (precision) {
    case MatmulPrecision::default_:
      return 1;
    case MatmulPrecision::high:
      return 3;
    case MatmulPrecision::highest:
      return 6;
  }
  return 1;
}

MatmulPrecision matmul_named(std::string_view name) {
  const auto found = std::ranges::find(matmul_names, name);
  if (found == matmul_names.end()) return MatmulPrecision::default_;
  return static_cast<MatmulPrecision>(found - matmul_names.begin());
}

namespace {

class Dot final : public Op {
 public:
  explicit Dot(MatmulOptions options) : options_(options) {}

  std::string_view name() const override { return "dot"; }
  OpTraits traits() const override {
    return {.rounds = options_.precision == MatmulPrecision::default_};
  }

  std::string attributes() const override {
    const std::string turns =
        options_.turns > 1 ? fmt::format(" turns={}", options_.turns) : std::string();
    return fmt::format("lhs_contracting={} rhs_contracting={} passes={}{}",
                       options_.transpose_left ? 0 : 1, options_.transpose_right ? 1 : 0,
                       passes_of(options_.precision), turns);
  }

  Type infer(std::span<const Type> inputs) const override {
    const Type& left = inputs[0];
    const Type& right = inputs[1];
    if (left.shape.rank() != 2 || right.shape.rank() != 2 || k_of(left) != right_k_of(right)) {
      throw Error(fmt::format("matmul: {} and {} do not fit; the inner extents must be equal ({})",
                              text_of(left.dtype, left.shape), text_of(right.dtype, right.shape),
                              attributes()));
    }
    return {Shape{m_of(left), n_of(right)}, left.dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    matrix_product(inputs[0], inputs[1], options_, out, context);
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const Tensor left = inputs[0];
    const Tensor right = inputs[1];
    const Tensor to_left = gradient_to_left(right, upstream, options_);
    const Tensor to_right = options_.turns > 1 ? behind_turns(left, upstream)
                                               : gradient_to_right(left, upstream, options_);
    return {convert(to_left, left.type().dtype), convert(to_right, right.type().dtype)};
  }

  Work work(std::span<const Type> inputs, const Type&) const override {
    return MatrixWork{.m = m_of(inputs[0]),
                      .k = k_of(inputs[0]),
                      .n = n_of(inputs[1]),
                      .operand = DType::bf16,
                      .passes = passes_of(options_.precision, inputs[0].dtype, inputs[1].dtype)};
  }

  // Rows of the left stay rows; contracting the stacked axis on both sides adds over the cores.
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const Stack left = inputs[0];
    const Stack right = inputs[1];
    if (left == Stack::shared && right == Stack::shared) return Stack::shared;
    if (left == Stack::rows && right == Stack::shared && !options_.transpose_left) {
      return Stack::rows;
    }
    if (left == Stack::rows && right == Stack::rows && options_.transpose_left &&
        !options_.transpose_right) {
      return Stack::partial;
    }
    const bool linear = (left == Stack::partial && right == Stack::shared) ||
                        (left == Stack::shared && right == Stack::partial);
    return linear ? Stack::partial : Stack::none;
  }

 private:
  Tensor behind_turns(Tensor left, Tensor upstream) const {
    const auto rows_of = [&](Tensor x) {
      const Tensor all = of_all_turns(x, options_.turns);
      return reshape(all, {x.shape()[0] * options_.turns, x.shape()[1]});
    };
    Graph& graph = *left.graph;
    const Region inside = graph.enter({});
    const Tensor made = matmul(rows_of(left), rows_of(upstream), {true, false, options_.precision});
    graph.enter(inside);
    return made;
  }
  std::int64_t m_of(const Type& left) const { return left.shape[options_.transpose_left ? 1 : 0]; }
  std::int64_t k_of(const Type& left) const { return left.shape[options_.transpose_left ? 0 : 1]; }
  std::int64_t right_k_of(const Type& right) const {
    return right.shape[options_.transpose_right ? 1 : 0];
  }
  std::int64_t n_of(const Type& right) const {
    return right.shape[options_.transpose_right ? 0 : 1];
  }

  MatmulOptions options_;
};

}  // namespace

Tensor gradient_to_left(Tensor right, Tensor upstream, const MatmulOptions& options) {
  const auto& [left_turned, right_turned, precision, turns] = options;
  return left_turned ? matmul(right, upstream, {right_turned, true, precision})
                     : matmul(upstream, right, {false, !right_turned, precision});
}

Tensor gradient_to_right(Tensor left, Tensor upstream, const MatmulOptions& options) {
  const auto& [left_turned, right_turned, precision, turns] = options;
  return right_turned ? matmul(upstream, left, {true, left_turned, precision})
                      : matmul(left, upstream, {!left_turned, false, precision});
}

Tensor matmul(Tensor left, Tensor right, MatmulOptions options) {
  if (left.shape().rank() > 2) return batch_matmul(left, right, options);
  return left.graph->apply(std::make_shared<const Dot>(options), {left, right});
}

}  // namespace tpulab
