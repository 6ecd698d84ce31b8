// Number formats: one row each.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/units.h"

namespace tpulab {

enum class DType : std::uint8_t { f32, bf16, s32, s64, pred };

struct DTypeRow {
  DType dtype;
  std::string_view name;  // XLA's spelling
  int bytes;
  int mantissa_bits;  // 0 for integers
};

const DTypeRow& row_of(DType dtype);
inline std::string_view name_of(DType dtype) { return row_of(dtype).name; }
inline int bytes_of(DType dtype) { return row_of(dtype).bytes; }
inline bool is_integer(DType dtype) { return dtype == DType::s32 || dtype == DType::s64; }

}  // namespace tpulab
