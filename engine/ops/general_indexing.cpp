// Reading and writing rows by index.
#include <fmt/format.h>

#include <array>

#include "engine/ops/general_ops.h"

namespace tpulab {

Tensor gather_rows(Tensor rows, Tensor indices, const Shape& result) {
  GeneralOp op{.name = "gather",
               .type = {result, rows.type().dtype},
               .work = VectorWork{.shape = result, .cheap = 1}};
  const std::array inputs{rows, indices};
  return apply_general(*rows.graph, std::move(op), inputs);
}

Tensor scatter_into(Tensor x, Tensor indices, Tensor updates, std::string_view function) {
  GeneralOp op{.name = "scatter",
               .attributes = std::string(function),
               .type = {x.shape(), x.type().dtype},
               .work = VectorWork{.shape = updates.shape(), .cheap = 1}};
  const std::array inputs{x, indices, updates};
  return apply_general(*x.graph, std::move(op), inputs);
}

}  // namespace tpulab
