// Number formats: one row each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/base/units.h"

namespace tpulab {

enum class DType : std::uint8_t { f32, bf16, s32, s64, pred, u8 };

struct DTypeRow {
  DType dtype;
  std::string_view name;  // XLA's spelling
  int bytes;
};

inline const DTypeRow& row_of(DType dtype) {
  static constexpr std::array<DTypeRow, 6> rows{{
      {DType::f32, "f32", 4},
      {DType::bf16, "bf16", 2},
      {DType::s32, "s32", 4},
      {DType::s64, "s64", 8},
      {DType::pred, "pred", 1},
      {DType::u8, "u8", 1},
  }};
  return rows[static_cast<std::size_t>(dtype)];
}
inline std::string_view name_of(DType dtype) { return row_of(dtype).name; }
inline int bytes_of(DType dtype) { return row_of(dtype).bytes; }
inline bool is_real(DType dtype) { return dtype == DType::f32 || dtype == DType::bf16; }
inline bool is_integer(DType dtype) { return dtype == DType::s32 || dtype == DType::s64; }

}  // namespace tpulab
