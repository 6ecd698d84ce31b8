#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/random_bits.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

// Where an activation is kept: one number in [0,1) an element, of a seed that each step sends.
class KeepMask final : public Op {
 public:
  KeepMask(const Shape& shape, const Dropout& how) : shape_(shape), how_(how) {}

  std::string_view name() const override { return "rng-bit-generator"; }
  std::string attributes() const override {
    return fmt::format("rate={} stream={} operations={} {}", how_.rate, how_.stream,
                       how_.random.operations, text_of(DType::pred, shape_));
  }
  Type infer(std::span<const Type>) const override {
    return {shape_, DType::pred, Placement::per_core};
  }
  // Every core draws the same: as if its process began from the same seed.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::uint64_t start = random_begin(inputs[0].data[0], how_.stream);
    const std::int64_t own = out.elements() / context.stacked;
    const auto dropped = static_cast<std::uint64_t>(how_.rate * 16777216.0);
    for_chunks(context, out.elements(), chunk_elements, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const auto index = static_cast<std::uint64_t>(i % own);
        out.data[i] = mixed(start + index * random_step) >> 40 >= dropped ? 1.0f : 0.0f;
      }
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}};
  }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::rows; }
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = how_.random.operations};
  }

 private:
  Shape shape_;
  Dropout how_;
};

}  // namespace

Tensor dropout(Tensor x, const Dropout& how) {
  expects(how.rate >= 0 && how.rate < 1, "a share below all is dropped");
  if (how.rate == 0 || how.random.seed == 0) return x;
  Graph& graph = *x.graph;
  const Tensor seed = scalar(graph, how.random.seed, "seed");
  const Tensor kept = graph.apply(std::make_shared<const KeepMask>(x.shape(), how), {seed});
  const Tensor larger = multiply(x, scalar(graph, 1 / (1 - how.rate), "1/(1-rate)"));
  return select(kept, larger, scalar(graph, 0));
}

}  // namespace tpulab
