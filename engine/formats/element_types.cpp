#include "engine/formats/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tpulab {

namespace {

struct Element {
  std::string_view mlir;
  std::string_view hlo;  // empty: HLO has none
  DType held;
};

constexpr std::array<Element, 26> elements{{
    {"f32", "f32", DType::f32},
    {"bf16", "bf16", DType::bf16},
    {"f16", "f16", DType::bf16},
    {"i32", "s32", DType::s32},
    {"ui32", "u32", DType::s32},
    {"i64", "s64", DType::s64},
    {"ui64", "u64", DType::s64},
    {"i1", "pred", DType::pred},
    {"i8", "s8", DType::pred},
    {"ui8", "u8", DType::pred},
    {"i16", "s16", DType::bf16},
    {"ui16", "u16", DType::bf16},
    {"i4", "s4", DType::pred},
    {"ui4", "u4", DType::pred},
    {"i2", "s2", DType::pred},
    {"ui2", "u2", DType::pred},
    {"f8E4M3FN", "f8e4m3fn", DType::pred},
    {"f8E5M2", "f8e5m2", DType::pred},
    {"f8E4M3", "f8e4m3", DType::pred},
    {"f8E3M4", "f8e3m4", DType::pred},
    {"f8E4M3B11FNUZ", "f8e4m3b11fnuz", DType::pred},
    {"f8E4M3FNUZ", "f8e4m3fnuz", DType::pred},
    {"f8E5M2FNUZ", "f8e5m2fnuz", DType::pred},
    {"f8E8M0FNU", "f8e8m0fnu", DType::pred},
    {"complex<f32>", "c64", DType::s64},
    {"index", "", DType::s64},
}};

std::optional<DType> held(std::string_view name, std::string_view Element::*spelling) {
  const auto* const row = std::ranges::find(elements, name, spelling);
  if (name.empty() || row == elements.end()) return std::nullopt;
  return row->held;
}

}  // namespace

std::optional<DType> dtype_of_mlir(std::string_view element) {
  return held(element, &Element::mlir);
}

std::optional<DType> dtype_of_hlo(std::string_view element) { return held(element, &Element::hlo); }

std::string not_priced(std::string_view element) {
  return fmt::format(
      "{} is no type that a TPU is priced with; f32, bf16, f16, pairs of f32 (complex), integers "
      "up to 64 bits, f8 and truth values are",
      element);
}

}  // namespace tpulab
