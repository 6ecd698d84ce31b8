// A mixture of experts: each row goes to a few of several matrices. Which rows meet depends on
// values; shapes do not. In time, rows are spread evenly over the experts.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/matrix_product.h"
#include "engine/ops/row_index.h"

namespace tpulab {

namespace {

// The rows [m,k,..] of each expert, as they lie below each other.
std::vector<std::vector<std::int64_t>> rows_of_experts(const ArrayView& chosen,
                                                       std::int64_t experts) {
  std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(experts));
  for (std::int64_t i = 0; i < chosen.elements(); ++i) {
    const std::int64_t expert = checked_index("experts", chosen[i], experts);
    rows[static_cast<std::size_t>(expert)].push_back(i);
  }
  return rows;
}

Array gathered_rows(const ArrayView& from, std::span<const std::int64_t> rows) {
  const std::int64_t width = from.shape.at(-1);
  Array result(Shape{std::ssize(rows), width}, from.dtype);
  float* to = result.values().data();
  for (const std::int64_t row : rows) to = std::copy_n(from.data + row * width, width, to);
  return result;
}

template <class View>
View matrix_of(const View& matrices, std::int64_t expert) {
  View one = matrices;
  one.shape = Shape{matrices.shape[1], matrices.shape[2]};
  one.data += expert * one.shape.elements();
  return one;
}

std::string text_of(const MatmulOptions& options) {
  return fmt::format("experts transposes=0{} passes={}", options.transpose_right ? 1 : 0,
                     passes_of(options.precision));
}

// What each of the matrices multiplies if rows are spread evenly. Each product loads its own.
MatrixWork even_work(std::int64_t rows, std::int64_t experts, std::int64_t k, std::int64_t n,
                     const MatmulOptions& options, const Type& left) {
  const std::int64_t busy = std::max<std::int64_t>(1, std::min(rows, experts));
  return {.batch = busy,
          .m = (rows + busy - 1) / busy,
          .k = k,
          .n = n,
          .passes = passes_of(options.precision, left.dtype, left.dtype)};
}

// x [m,k,c] and upstream [m,k,n] -> [e,c,n], the rows of each expert contracted.
class ExpertGradient final : public Op {
 public:
  ExpertGradient(std::int64_t experts, MatmulPrecision precision)
      : experts_(experts), options_{.transpose_left = true, .precision = precision} {}

  std::string_view name() const override { return "dot"; }
  OpTraits traits() const override {
    return {.rounds = options_.precision == MatmulPrecision::default_};
  }
  std::string attributes() const override {
    return fmt::format("contracting=rows of={} {}", experts_, text_of(options_));
  }
  Type infer(std::span<const Type> inputs) const override {
    return {Shape{experts_, inputs[0].shape.at(-1), inputs[1].shape.at(-1)}, inputs[0].dtype,
            joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const auto rows = rows_of_experts(inputs[2], experts_);
    for (std::int64_t expert = 0; expert < experts_; ++expert) {
      const ArraySpan to = matrix_of(out, expert);
      const auto& own = rows[static_cast<std::size_t>(expert)];
      if (own.empty()) {
        std::ranges::fill(to.values(), 0.0f);
        continue;
      }
      const Array left = gathered_rows(inputs[0], own);
      const Array right = gathered_rows(inputs[1], own);
      matrix_product(left.view(), right.view(), options_, to, context);
    }
  }
  Work work(std::span<const Type> inputs, const Type& output) const override {
    MatrixWork work =
        even_work(inputs[2].shape.elements(), experts_, 0, output.shape[2], options_, inputs[0]);
    std::swap(work.m, work.k);
    work.m = output.shape[1];
    return work;
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const auto all = [&](Stack held) {
      return std::ranges::all_of(inputs, [&](Stack one) { return one == held; });
    };
    return all(Stack::shared) ? Stack::shared : all(Stack::rows) ? Stack::partial : Stack::none;
  }

 private:
  std::int64_t experts_;
  MatmulOptions options_;
};

class ExpertProduct final : public Op {
 public:
  explicit ExpertProduct(MatmulOptions options) : options_(options) {}

  std::string_view name() const override { return "dot"; }
  OpTraits traits() const override {
    return {.rounds = options_.precision == MatmulPrecision::default_};
  }
  std::string attributes() const override { return text_of(options_); }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& rows = inputs[0].shape;
    const Shape& matrices = inputs[1].shape;
    const Type& chosen = inputs[2];
    const bool fits = rows.rank() == 3 && matrices.rank() == 3 && is_integer(chosen.dtype) &&
                      chosen.shape == Shape{rows[0], rows[1]} &&
                      rows[2] == matrices[options_.transpose_right ? 2 : 1];
    if (!fits) {
      throw Error(fmt::format(
          "experts: rows {}, matrices {} and choices {} do not fit; give [m,k,c], [e,c,n] and "
          "integers [m,k]",
          tpulab::text_of(inputs[0].dtype, rows), tpulab::text_of(inputs[1].dtype, matrices),
          tpulab::text_of(chosen.dtype, chosen.shape)));
    }
    return {Shape{rows[0], rows[1], matrices[options_.transpose_right ? 1 : 2]}, inputs[0].dtype,
            joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t experts = inputs[1].shape[0];
    const std::int64_t width = out.shape[2];
    const auto rows = rows_of_experts(inputs[2], experts);
    for (std::int64_t expert = 0; expert < experts; ++expert) {
      const auto& own = rows[static_cast<std::size_t>(expert)];
      if (own.empty()) continue;
      const Array left = gathered_rows(inputs[0], own);
      Array made(Shape{std::ssize(own), width}, out.dtype);
      matrix_product(left.view(), matrix_of(inputs[1], expert), options_, made.span(), context);
      const float* from = made.values().data();
      for (const std::int64_t row : own) {
        std::copy_n(from, width, out.data + row * width);
        from += width;
      }
    }
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const bool tr = options_.transpose_right;
    const auto contracted =
        std::make_shared<const ExpertGradient>(inputs[1].shape()[0], options_.precision);
    const auto [left, right] = tr ? std::pair(upstream, inputs[0]) : std::pair(inputs[0], upstream);
    const Tensor to_rows =
        expert_matmul(upstream, inputs[1], inputs[2], {false, !tr, options_.precision});
    const Tensor to_matrices = upstream.graph->apply(contracted, {left, right, inputs[2]});
    return {convert(to_rows, inputs[0].type().dtype), convert(to_matrices, inputs[1].type().dtype),
            Tensor{}};
  }
  Work work(std::span<const Type> inputs, const Type& output) const override {
    return even_work(inputs[2].shape.elements(), inputs[1].shape[0], inputs[0].shape[2],
                     output.shape[2], options_, inputs[0]);
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[1] == Stack::shared && inputs[0] == inputs[2] && inputs[0] != Stack::partial
               ? inputs[0]
               : Stack::none;
  }

 private:
  MatmulOptions options_;
};

// [m,c] -> [m,k,c]: a copy of each row for each of its experts, whose order a device gives them.
class Dispatched final : public Op {
 public:
  explicit Dispatched(std::int64_t copies) : copies_(copies) {}

  std::string_view name() const override { return "gather"; }
  std::string attributes() const override {
    return fmt::format("rows by expert, {} each", copies_);
  }
  Type infer(std::span<const Type> inputs) const override {
    return {Shape{inputs[0].shape[0], copies_, inputs[0].shape[1]}, inputs[0].dtype,
            joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = inputs[0].shape[1];
    for_chunks(context, inputs[0].shape[0], chunk_elements / std::max<std::int64_t>(width, 1),
               [&](std::int64_t row, std::int64_t end) {
                 for (; row < end; ++row) {
                   float* to = out.data + row * copies_ * width;
                   for (std::int64_t i = 0; i < copies_; ++i) {
                     to = std::copy_n(inputs[0].data + row * width, width, to);
                   }
                 }
               });
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor upstream) const override {
    return {reduce_sum(upstream, {1})};
  }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    return inputs[0];
  }

 private:
  std::int64_t copies_;
};

}  // namespace

Tensor dispatched(Tensor x, std::int64_t copies) {
  return x.graph->apply(std::make_shared<const Dispatched>(copies), {x});
}

Tensor expert_matmul(Tensor rows, Tensor matrices, Tensor chosen, MatmulOptions options) {
  return rows.graph->apply(std::make_shared<const ExpertProduct>(options),
                           {rows, matrices, chosen});
}

}  // namespace tpulab
