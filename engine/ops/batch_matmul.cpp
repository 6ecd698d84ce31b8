// Products with more than two axes: one per leading index, or all rows times shared weights.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/matrix_product.h"

namespace tpulab {

namespace {

std::int64_t leading(const Shape& shape, int kept) {
  std::int64_t product = 1;
  for (int axis = 0; axis < shape.rank() - kept; ++axis) product *= shape[axis];
  return product;
}

[[noreturn]] void refuse(const Type& left, const Type& right, const std::string& attributes) {
  throw Error(
      fmt::format("batch_matmul: {} and {} do not fit; the leading and the inner extents "
                  "must be equal ({})",
                  text_of(left.dtype, left.shape), text_of(right.dtype, right.shape), attributes));
}

int passes(const MatmulOptions& options, std::span<const Type> inputs) {
  return passes_of(options.precision, inputs[0].dtype, inputs[1].dtype);
}

// The array's rows below each other: [rows, last extent].
ArrayView flat(const ArrayView& x) {
  return {x.data, Shape{leading(x.shape, 1), x.shape.at(-1)}, x.dtype};
}

std::string contraction(const MatmulOptions& options) {
  return fmt::format("transposes={}{} passes={}", options.transpose_left ? 1 : 0,
                     options.transpose_right ? 1 : 0, passes_of(options.precision));
}

// Contracts all leading axes of [..,m] and [..,n]: the weight gradient [m,n].
class FoldedDot final : public Op {
 public:
  explicit FoldedDot(MatmulPrecision precision)
      : options_{.transpose_left = true, .precision = precision} {}

  std::string_view name() const override { return "dot"; }
  OpTraits traits() const override {
    return {.rounds = options_.precision == MatmulPrecision::default_};
  }
  std::string attributes() const override { return "contracting=leading " + contraction(options_); }
  Type infer(std::span<const Type> inputs) const override {
    return {Shape{inputs[0].shape.at(-1), inputs[1].shape.at(-1)}, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    matrix_product(flat(inputs[0]), flat(inputs[1]), options_, out, context);
  }
  Work work(std::span<const Type> inputs, const Type& output) const override {
    return MatrixWork{.m = output.shape[0],
                      .k = leading(inputs[0].shape, 1),
                      .n = output.shape[1],
                      .passes = passes(options_, inputs)};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    if (inputs[0] == Stack::shared && inputs[1] == Stack::shared) return Stack::shared;
    const bool rows = inputs[0] == Stack::rows && inputs[1] == Stack::rows;
    return rows ? Stack::partial : Stack::none;
  }

 private:
  MatmulOptions options_;
};

// [..,k] x [k,n] -> [..,n].
class RowsDot final : public Op {
 public:
  explicit RowsDot(MatmulOptions options) : options_(options) {}

  std::string_view name() const override { return "dot"; }
  OpTraits traits() const override {
    return {.rounds = options_.precision == MatmulPrecision::default_};
  }
  std::string attributes() const override { return contraction(options_); }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& right = inputs[1].shape;
    const bool tr = options_.transpose_right;
    if (options_.transpose_left || inputs[0].shape.rank() < 2 ||
        inputs[0].shape.at(-1) != right[tr ? 1 : 0]) {
      refuse(inputs[0], inputs[1], attributes());
    }
    Shape shape = inputs[0].shape;
    shape[shape.rank() - 1] = right[tr ? 0 : 1];
    return {shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const ArraySpan rows{out.data, Shape{leading(out.shape, 1), out.shape.at(-1)}, out.dtype};
    matrix_product(flat(inputs[0]), inputs[1], options_, rows, context);
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const bool tr = options_.transpose_right;
    const auto fold = std::make_shared<const FoldedDot>(options_.precision);
    const auto [a, b] = tr ? std::pair(upstream, inputs[0]) : std::pair(inputs[0], upstream);
    const Tensor to_left = batch_matmul(upstream, inputs[1], {false, !tr, options_.precision});
    const Tensor to_right = upstream.graph->apply(fold, {a, b});
    return {convert(to_left, inputs[0].type().dtype), convert(to_right, inputs[1].type().dtype)};
  }
  Work work(std::span<const Type> inputs, const Type& output) const override {
    return MatrixWork{.m = leading(output.shape, 1),
                      .k = inputs[0].shape.at(-1),
                      .n = output.shape.at(-1),
                      .passes = passes(options_, inputs)};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[1] == Stack::shared ? inputs[0] : Stack::none;
  }

 private:
  MatmulOptions options_;
};

// [..,m,k] x [..,k,n] -> [..,m,n].
class BatchDot final : public Op {
 public:
  explicit BatchDot(MatmulOptions options) : options_(options) {}

  std::string_view name() const override { return "dot"; }
  OpTraits traits() const override {
    return {.rounds = options_.precision == MatmulPrecision::default_};
  }
  std::string attributes() const override { return "batch=leading " + contraction(options_); }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& left = inputs[0].shape;
    const Shape& right = inputs[1].shape;
    const auto batch_axes = static_cast<std::size_t>(std::max(left.rank() - 2, 0));
    const bool fits =
        left.rank() >= 3 && right.rank() == left.rank() &&
        std::ranges::equal(left.extents().first(batch_axes), right.extents().first(batch_axes)) &&
        left.at(options_.transpose_left ? -2 : -1) == right.at(options_.transpose_right ? -1 : -2);
    if (!fits) refuse(inputs[0], inputs[1], attributes());
    Shape shape = left;
    shape[shape.rank() - 2] = left.at(options_.transpose_left ? -1 : -2);
    shape[shape.rank() - 1] = right.at(options_.transpose_right ? -2 : -1);
    return {shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t batch = leading(out.shape, 2);
    const auto matrix = [](const auto& array, std::int64_t index) {
      const Shape shape{array.shape.at(-2), array.shape.at(-1)};
      auto part = array;
      part.data += index * shape.elements();
      part.shape = shape;
      return part;
    };
    for (std::int64_t i = 0; i < batch; ++i) {
      matrix_product(matrix(inputs[0], i), matrix(inputs[1], i), options_, matrix(out, i), context);
    }
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const Tensor to_left = gradient_to_left(inputs[1], upstream, options_);
    const Tensor to_right = gradient_to_right(inputs[0], upstream, options_);
    return {convert(to_left, inputs[0].type().dtype), convert(to_right, inputs[1].type().dtype)};
  }
  Work work(std::span<const Type> inputs, const Type& output) const override {
    return MatrixWork{.batch = leading(output.shape, 2),
                      .m = output.shape.at(-2),
                      .k = inputs[0].shape.at(options_.transpose_left ? -2 : -1),
                      .n = output.shape.at(-1),
                      .passes = passes(options_, inputs)};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const bool same = inputs[0] == inputs[1];
    return same && inputs[0] != Stack::partial ? inputs[0] : Stack::none;
  }

 private:
  MatmulOptions options_;
};

}  // namespace

Tensor batch_matmul(Tensor left, Tensor right, MatmulOptions options) {
  if (right.shape().rank() == 2) {
    return left.graph->apply(std::make_shared<const RowsDot>(options), {left, right});
  }
  return left.graph->apply(std::make_shared<const BatchDot>(options), {left, right});
}

}  // namespace tpulab
