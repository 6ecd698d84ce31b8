#include <fmt/format.h>

#include "engine/base/random_bits.h"
#include "engine/ops/chunks.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

float uniform(std::uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-24f; }

// The sum of twelve uniform numbers has deviation 1 and needs no function that libraries round
// differently.
float about_normal(std::uint64_t bits) {
  constexpr int drawn = 12;
  float sum = -drawn / 2;
  for (int i = 0; i < drawn; ++i) sum += uniform(bits = mixed(bits + random_step));
  return sum;
}

class RandomNumbers final : public Op {
 public:
  RandomNumbers(const Shape& shape, Distribution how, int operations, std::uint64_t stream)
      : shape_(shape), how_(how), operations_(operations), stream_(stream) {}

  std::string_view name() const override { return "rng-bit-generator"; }
  std::string attributes() const override {
    return fmt::format("{} stream={} operations={} {}", normal() ? "normal" : "uniform", stream_,
                       operations_, text_of(DType::f32, shape_));
  }
  Type infer(std::span<const Type>) const override {
    return {shape_, DType::f32, Placement::per_core};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const std::uint64_t start = random_begin(inputs[0].data[0], stream_);
    const std::int64_t own = out.elements() / context.stacked;
    for_chunks(context, out.elements(), chunk_elements, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const std::uint64_t bits = mixed(start + static_cast<std::uint64_t>(i % own) * random_step);
        out.data[i] = normal() ? about_normal(bits) : uniform(bits);
      }
    });
  }
  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}};
  }
  Stack stack(std::span<const Stack>, std::span<const Type>) const override { return Stack::rows; }
  // Normal ones by the inverse of the error function: a logarithm and two polynomials of degree 8.
  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape,
                      .cheap = operations_ + (normal() ? 36 : 1),
                      .medium = normal() ? 1 : 0,
                      .transcendental = normal() ? 1 : 0};
  }

 private:
  bool normal() const { return how_ == Distribution::normal; }

  Shape shape_;
  Distribution how_;
  int operations_;
  std::uint64_t stream_;
};

}  // namespace

Tensor random_numbers(Graph& graph, const Shape& shape, Distribution how, const Draws& random,
                      std::uint64_t stream) {
  const auto op = std::make_shared<const RandomNumbers>(shape, how, random.operations, stream);
  return graph.apply(op, {scalar(graph, random.seed, "seed")});
}

}  // namespace tpulab
