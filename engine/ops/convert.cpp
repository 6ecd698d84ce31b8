#include <cmath>

#include "engine/ops/elementwise.h"

namespace tpulab {

namespace {

class Convert final : public Elementwise {
 public:
  Convert(DType from, DType to) : dtype_(to), casts_(is_real(from) && is_real(to)) {}

  std::string_view name() const override { return "convert"; }
  std::string attributes() const override { return "to=" + std::string(name_of(dtype_)); }

  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, dtype_, inputs[0].placement};
  }

  OpTraits traits() const override {
    OpTraits traits = Elementwise::traits();
    traits.casts = casts_;
    return traits;
  }

  // Rounding to bf16 is left to the caller, as for any op.
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext& context) const override {
    if (is_integer(dtype_)) {
      unary_loop(inputs[0], out, context, [](float x) { return std::trunc(x); });
    } else if (dtype_ == DType::pred) {
      unary_loop(inputs[0], out, context, [](float x) { return x != 0 ? 1.0f : 0.0f; });
    } else {
      unary_loop(inputs[0], out, context, [](float x) { return x; });
    }
  }

  std::vector<Tensor> gradient(std::span<const Tensor> inputs, Tensor,
                               Tensor upstream) const override {
    if (is_integer(dtype_) || dtype_ == DType::pred) return {Tensor{}};
    return {flow_into(inputs[0], [&] { return upstream; })};
  }

  Work work(std::span<const Type>, const Type& output) const override {
    return VectorWork{.shape = output.shape, .cheap = 1};
  }

 protected:
  bool keeps_sums(std::span<const Stack>) const override { return is_real(dtype_); }

 private:
  DType dtype_;
  bool casts_;
};

}  // namespace

Tensor convert(Tensor x, DType dtype) {
  if (x.type().dtype == dtype) return x;
  return x.graph->apply(std::make_shared<const Convert>(x.type().dtype, dtype), {x});
}

}  // namespace tpulab
