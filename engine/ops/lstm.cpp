// The cell of an LSTM behind its products: c' = c f + i j, h' = tanh(c') o. State and hidden values
// are one array, so that a loop hands on one.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/chunks.h"
#include "engine/ops/hyperbolic_tangent.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

struct Cell {
  // Of one element: where the four gates lie, and the cell's value before.
  Cell(const float* gates, std::int64_t width, float before)
      : i(logistic(gates[0])),
        j(tanh_of(gates[width])),
        f(logistic(gates[2 * width])),
        o(logistic(gates[3 * width])),
        c(before * f + i * j),
        t(tanh_of(c)) {}

  // What flows into the new cell's value.
  float into_cell(float of_cell, float of_hidden) const {
    return of_cell + of_hidden * o * (1 - t * t);
  }

  float i, j, f, o;
  float c, t;
};

// Calls body(row, element) for each; `width` of a row.
template <class Body>
void for_each_element(std::int64_t rows, std::int64_t width, const EvaluateContext& context,
                      const Body& body) {
  for_chunks(context, rows, chunk_elements / 8 / std::max<std::int64_t>(width, 1),
             [&](std::int64_t row, std::int64_t end) {
               for (; row < end; ++row) {
                 for (std::int64_t k = 0; k < width; ++k) body(row, k);
               }
             });
}

class LstmOp : public Op {
 public:
  Stack stack(std::span<const Stack> inputs, std::span<const Type>) const override {
    const bool rows = std::ranges::all_of(inputs, [](Stack one) { return one == Stack::rows; });
    return rows ? Stack::rows : Stack::none;
  }

 protected:
  static std::int64_t width_of(std::span<const Type> inputs) { return inputs[0].shape[1] / 4; }
  // Three sigmoids and two hyperbolic tangents, made again for gradients.
  static VectorWork cost_of(std::span<const Type> inputs, int cheap) {
    return {.shape = Shape{inputs[0].shape[0], width_of(inputs)},
            .cheap = 3 + cheap,
            .medium = 3,
            .transcendental = 5};
  }
};

// gates, state, upstream -> the gradient of the gates.
class GatesGradient final : public LstmOp {
 public:
  std::string_view name() const override { return "lstm-gradient"; }
  std::string attributes() const override { return "gates"; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = out.shape[1] / 4;
    for_each_element(out.shape[0], width, context, [&](std::int64_t row, std::int64_t k) {
      const std::int64_t at = row * 2 * width + k;
      const float before = inputs[1].data[at];
      const Cell cell(inputs[0].data + row * 4 * width + k, width, before);
      const float hidden = inputs[2].data[at + width];
      const float flow = cell.into_cell(inputs[2].data[at], hidden);
      float* to = out.data + row * 4 * width + k;
      to[0] = flow * cell.j * cell.i * (1 - cell.i);
      to[width] = flow * cell.i * (1 - cell.j * cell.j);
      to[2 * width] = flow * before * cell.f * (1 - cell.f);
      to[3 * width] = hidden * cell.t * cell.o * (1 - cell.o);
    });
  }
  Work work(std::span<const Type> inputs, const Type&) const override {
    return cost_of(inputs, 16);
  }
};

// The same -> the gradient of the state, of which the cell's values have one alone.
class StateGradient final : public LstmOp {
 public:
  std::string_view name() const override { return "lstm-gradient"; }
  std::string attributes() const override { return "state"; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[1].shape, inputs[1].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = out.shape[1] / 2;
    for_each_element(out.shape[0], width, context, [&](std::int64_t row, std::int64_t k) {
      const std::int64_t at = row * 2 * width + k;
      const Cell cell(inputs[0].data + row * 4 * width + k, width, inputs[1].data[at]);
      out.data[at] = cell.f * cell.into_cell(inputs[2].data[at], inputs[2].data[at + width]);
      out.data[at + width] = 0;
    });
  }
  Work work(std::span<const Type> inputs, const Type&) const override { return cost_of(inputs, 4); }
};

class Lstm final : public LstmOp {
 public:
  std::string_view name() const override { return "lstm"; }
  Type infer(std::span<const Type> inputs) const override {
    const Shape& gates = inputs[0].shape;
    const Shape& state = inputs[1].shape;
    if (gates.rank() != 2 || gates[1] % 4 != 0 || state != Shape{gates[0], gates[1] / 2}) {
      throw Error(fmt::format("lstm: gates {} and state {} do not fit; give [b,4c] and [b,2c]",
                              text_of(inputs[0].dtype, gates), text_of(inputs[1].dtype, state)));
    }
    return {state, inputs[1].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::int64_t width = out.shape[1] / 2;
    for_each_element(out.shape[0], width, context, [&](std::int64_t row, std::int64_t k) {
      const std::int64_t at = row * 2 * width + k;
      const Cell cell(inputs[0].data + row * 4 * width + k, width, inputs[1].data[at]);
      out.data[at] = cell.c;
      out.data[at + width] = cell.t * cell.o;
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    Graph& graph = *upstream.graph;
    static const auto to_gates = std::make_shared<const GatesGradient>();
    static const auto to_state = std::make_shared<const StateGradient>();
    return {graph.apply(to_gates, {inputs[0], inputs[1], upstream}),
            graph.apply(to_state, {inputs[0], inputs[1], upstream})};
  }
  Work work(std::span<const Type> inputs, const Type&) const override { return cost_of(inputs, 1); }
};

}  // namespace

Tensor lstm(Tensor gates, Tensor state) {
  static const auto op = std::make_shared<const Lstm>();
  return gates.graph->apply(op, {gates, state});
}

}  // namespace tpulab
