#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/host_op.h"
#include "engine/ops/ops.h"
#include "engine/ops/row_index.h"

namespace tpulab {

namespace {

class Bincount final : public HostOp {
 public:
  explicit Bincount(std::int64_t bins) : bins_(bins) {}

  std::string_view name() const override { return "aten::bincount"; }
  std::string attributes() const override { return fmt::format("bins={}", bins_); }

  Type infer(std::span<const Type> inputs) const override {
    return {Shape{bins_}, DType::f32, joined(inputs)};
  }

  Array evaluate_on_host(std::span<const ArrayView> inputs) const override {
    Array counts(Shape{bins_});
    for (const float label : inputs[0].values()) counts[checked_index(name(), label, bins_)] += 1;
    return counts;
  }

 private:
  std::int64_t bins_;
};

}  // namespace

Tensor bincount(Tensor labels, std::int64_t bins) {
  if (labels.shape().rank() != 1 || !is_integer(labels.type().dtype) || bins < 1) {
    throw Error(fmt::format("bincount: {} in {} bins; give integer labels [m] and at least one bin",
                            text_of(labels.type().dtype, labels.shape()), bins));
  }
  return labels.graph->apply(std::make_shared<const Bincount>(bins), {labels});
}

}  // namespace tpulab
