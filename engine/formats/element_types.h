// Element types of imported texts: how each is held on a device, and which are priced; how large a
// number is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/dtype.h"

namespace tpulab {

// One of as many bytes: f16 as bf16, u8 as pred, pairs of f32 as s64; what has fewer bits than
// eight is held as a byte. Nothing for types that are not priced.
std::optional<DType> dtype_of_mlir(std::string_view element);  // "ui8"
std::optional<DType> dtype_of_hlo(std::string_view element);   // "u8"
// Of either: eight bits with fractions, not whole numbers.
constexpr bool is_fp8(std::string_view element) { return element.starts_with("f8"); }

// What numbers of a text are held to, of either sign: two of them have a sum and a difference.
inline constexpr std::int64_t largest_number = std::int64_t{1} << 60;

// Why an element type is refused.
std::string not_priced(std::string_view element);

}  // namespace tpulab
