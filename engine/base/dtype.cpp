#include "engine/base/dtype.h"

#include <array>

namespace tpulab {

const DTypeRow& row_of(DType dtype) {
  static constexpr std::array<DTypeRow, 5> rows{{
      {DType::f32, "f32", 4, 23},
      {DType::bf16, "bf16", 2, 7},
      {DType::s32, "s32", 4, 0},
      {DType::s64, "s64", 8, 0},
      {DType::pred, "pred", 1, 0},
  }};
  return rows[static_cast<std::size_t>(dtype)];
}

}  // namespace tpulab
