#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"
#include "engine/ops/row_index.h"

namespace tpulab {

namespace {

[[noreturn]] void refuse(std::string_view op, const Type& values, const Type& indices) {
  throw Error(fmt::format("{}: {} and indices {} do not fit; give [n] or [n,d] and integers [m]",
                          op, text_of(values.dtype, values.shape),
                          text_of(indices.dtype, indices.shape)));
}

bool vector_or_matrix(const Shape& shape) { return shape.rank() == 1 || shape.rank() == 2; }

// The shape with `rows` in place of the outermost extent.
Shape with_rows(const Shape& shape, std::int64_t rows) {
  Shape result = shape;
  result[0] = rows;
  return result;
}

std::int64_t width_of(const Shape& shape) { return shape.rank() == 2 ? shape[1] : 1; }

// Row `at` of indices within an array of `rows` that begins at the third input; -1: outside of it.
std::int64_t row_of(std::string_view op, std::span<const ArrayView> inputs, std::int64_t at,
                    std::int64_t rows) {
  const float index = inputs[1][at];
  if (inputs.size() < 3) return checked_index(op, index, rows);
  const float own = index - inputs[2][0];
  return own >= 0 && own < static_cast<float>(rows) ? static_cast<std::int64_t>(own) : -1;
}

Tensor first_of(std::span<const Tensor> inputs) { return inputs.size() > 2 ? inputs[2] : Tensor{}; }

// Nothing flows into indices.
std::vector<Tensor> into_values(Tensor flow, std::span<const Tensor> inputs) {
  std::vector<Tensor> flows(inputs.size());
  flows[0] = flow;
  return flows;
}

class Gather final : public Op {
 public:
  std::string_view name() const override { return "gather"; }

  Type infer(std::span<const Type> inputs) const override {
    const Type& x = inputs[0];
    const Type& indices = inputs[1];
    if (!vector_or_matrix(x.shape) || indices.shape.rank() != 1 || !is_integer(indices.dtype)) {
      refuse(name(), x, indices);
    }
    return {with_rows(x.shape, indices.shape[0]), x.dtype, joined(inputs)};
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = width_of(out.shape);
    const std::int64_t rows = inputs[0].shape[0];
    const float* from = inputs[0].data;
    const std::int64_t grain = chunk_elements / std::max<std::int64_t>(width, 1);
    for_chunks(context, out.shape[0], grain, [&](std::int64_t row, std::int64_t end) {
      for (; row < end; ++row) {
        const std::int64_t index = row_of(name(), inputs, row, rows);
        float* to = out.data + row * width;
        index < 0 ? std::fill_n(to, width, 0.0f) : std::copy_n(from + index * width, width, to);
      }
    });
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const Tensor first = first_of(inputs);
    return into_values(scatter_add(upstream, inputs[1], inputs[0].shape()[0], first), inputs);
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }

  // Every core looks up its own rows in the same table.
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    if (inputs.size() > 2) return Stack::none;
    if (inputs[0] == Stack::shared && inputs[1] != Stack::partial) return inputs[1];
    const bool linear = inputs[0] == Stack::partial && inputs[1] == Stack::shared;
    return linear ? Stack::partial : Stack::none;
  }
};

class ScatterAdd final : public Op {
 public:
  explicit ScatterAdd(std::int64_t rows) : rows_(rows) {}

  std::string_view name() const override { return "scatter"; }
  std::string attributes() const override { return fmt::format("add rows={}", rows_); }

  Type infer(std::span<const Type> inputs) const override {
    const Type& updates = inputs[0];
    const Type& indices = inputs[1];
    if (!vector_or_matrix(updates.shape) || indices.shape != Shape{updates.shape[0]} ||
        !is_integer(indices.dtype)) {
      refuse("scatter_add", updates, indices);
    }
    return {with_rows(updates.shape, rows_), updates.dtype, joined(inputs)};
  }

  // One thread, rows in order: several updates may meet in one row.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    const std::int64_t width = width_of(out.shape);
    const std::int64_t count = inputs[0].shape[0];
    std::ranges::fill(out.values(), 0.0f);
    for (std::int64_t row = 0; row < count; ++row) {
      const float* from = inputs[0].data + row * width;
      const std::int64_t index = row_of("scatter_add", inputs, row, rows_);
      if (index < 0) continue;
      float* to = out.data + index * width;
      for (std::int64_t i = 0; i < width; ++i) to[i] += from[i];
    }
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    return into_values(gather(upstream, inputs[1], first_of(inputs)), inputs);
  }

  Work work(std::span<const Type> inputs, const Type&) const override {
    return VectorWork{.shape = inputs[0].shape, .cheap = 1};
  }

  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const Stack updates = inputs[0];
    if (inputs.size() > 2) return Stack::none;
    if (updates == Stack::rows && inputs[1] == Stack::rows) return Stack::partial;
    const bool linear = updates == Stack::shared || updates == Stack::partial;
    return linear && inputs[1] == Stack::shared ? updates : Stack::none;
  }

 private:
  std::int64_t rows_;
};

}  // namespace

Tensor gather(Tensor x, Tensor indices, Tensor first) {
  static const auto op = std::make_shared<const Gather>();
  return first ? x.graph->apply(op, {x, indices, first}) : x.graph->apply(op, {x, indices});
}

Tensor scatter_add(Tensor updates, Tensor indices, std::int64_t rows, Tensor first) {
  const auto op = std::make_shared<const ScatterAdd>(rows);
  Graph& graph = *updates.graph;
  return first ? graph.apply(op, {updates, indices, first}) : graph.apply(op, {updates, indices});
}

}  // namespace tpulab
