#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/host_op.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

class Nonzero final : public HostOp {
 public:
  std::string_view name() const override { return "aten::nonzero"; }

  Type infer(std::span<const Type> inputs) const override {
    throw Error(
        fmt::format("nonzero: the size of the result for {} depends on values; only the "
                    "host can run it",
                    text_of(inputs[0].dtype, inputs[0].shape)));
  }

  // The flat, row-major positions of the elements that are not zero.
  Array evaluate_on_host(std::span<const ArrayView> inputs) const override {
    std::vector<float> positions;
    for (std::int64_t i = 0; i < inputs[0].elements(); ++i) {
      if (inputs[0][i] != 0) positions.push_back(static_cast<float>(i));
    }
    const auto count = static_cast<std::int64_t>(positions.size());
    return Array(Shape{count}, std::move(positions), DType::s32);
  }
};

}  // namespace

Tensor nonzero(Tensor x) {
  constexpr std::int64_t exact_integers = std::int64_t{1} << 24;  // of a float
  if (x.shape().elements() > exact_integers) {
    throw Error(fmt::format("nonzero: {} has more than 2^24 elements; cut it into parts",
                            text_of(x.type().dtype, x.shape())));
  }
  static const auto op = std::make_shared<const Nonzero>();
  return x.graph->apply(op, {x});
}

}  // namespace tpulab
