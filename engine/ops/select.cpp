#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

class Greater final : public Elementwise {
 public:
  std::string_view name() const override { return "compare"; }
  std::string attributes() const override { return "direction=GT"; }

  Type infer(std::span<const Type> inputs) const override {
    Type type = Elementwise::infer(inputs);
    type.dtype = DType::pred;
    return type;
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    binary_loop(inputs[0], inputs[1], out, context,
                [](float left, float right) { return left > right ? 1.0f : 0.0f; });
  }

  std::vector<Tensor> gradient(std::span<const Tensor>, Tensor, Tensor) const override {
    return {Tensor{}, Tensor{}};
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }
};

// Where an input of `select` starts for element `first`; a bias starts again with each row.
struct Source {
  const float* data;
  std::int64_t size;

  explicit Source(const ArrayView& view) : data(view.data), size(view.elements()) {}
  bool scalar() const { return size == 1; }
  const float* at(std::int64_t first) const { return data + (scalar() ? 0 : first % size); }
};

template <bool true_scalar, bool false_scalar>
void choose(const float* condition, const float* when_true, const float* when_false, float* out,
            std::int64_t count) {
  const float first_true = *when_true;
  const float first_false = *when_false;
  TPULAB_TURNS_APART
  for (std::int64_t i = 0; i < count; ++i) {
    const float yes = true_scalar ? first_true : when_true[i];
    const float no = false_scalar ? first_false : when_false[i];
    out[i] = condition[i] != 0 ? yes : no;
  }
}

class Select final : public Elementwise {
 public:
  std::string_view name() const override { return "select"; }

  Type infer(std::span<const Type> inputs) const override {
    if (inputs[0].dtype != DType::pred) {
      throw Error(fmt::format("select: the condition is {}; give a comparison's result (pred)",
                              text_of(inputs[0].dtype, inputs[0].shape)));
    }
    return Elementwise::infer(inputs);
  }

  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    const Source condition(inputs[0]);
    const Source when_true(inputs[1]);
    const Source when_false(inputs[2]);
    const std::int64_t count = out.elements();
    std::int64_t run = count;
    for (const Source& source : {condition, when_true, when_false}) {
      if (!source.scalar()) run = std::min(run, source.size);
    }
    for_chunks(context, count, run == count ? chunk_elements : run,
               [&](std::int64_t first, std::int64_t last) {
                 const float* yes = when_true.at(first);
                 const float* no = when_false.at(first);
                 float* to = out.data + first;
                 if (condition.scalar()) {
                   copy(*condition.data != 0 ? when_true : when_false, first, to, last - first);
                 } else if (when_true.scalar()) {
                   const auto loop = when_false.scalar() ? choose<true, true> : choose<true, false>;
                   loop(condition.at(first), yes, no, to, last - first);
                 } else {
                   const auto loop =
                       when_false.scalar() ? choose<false, true> : choose<false, false>;
                   loop(condition.at(first), yes, no, to, last - first);
                 }
               });
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    const Tensor zero = scalar(*upstream.graph, 0);
    return {Tensor{}, flow_into(inputs[1], [&] { return select(inputs[0], upstream, zero); }),
            flow_into(inputs[2], [&] { return select(inputs[0], zero, upstream); })};
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }

 protected:
  bool keeps_sums(std::span<const Stack> inputs) const override {
    return inputs[0] == Stack::shared && inputs[1] == Stack::partial && inputs[2] == Stack::partial;
  }

 private:
  static void copy(const Source& source, std::int64_t first, float* out, std::int64_t count) {
    if (source.scalar()) {
      std::fill_n(out, count, *source.data);
    } else {
      std::copy_n(source.at(first), count, out);
    }
  }
};

}  // namespace

Tensor greater(Tensor left, Tensor right) { return apply_one<Greater>({left, right}); }
Tensor select(Tensor condition, Tensor when_true, Tensor when_false) {
  return apply_one<Select>({condition, when_true, when_false});
}

}  // namespace tpulab
