// Types and attribute values of MLIR: tensor<8x16xf32>, array<i64: 0, 1>, dense<[1, 2]>.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/module.h"
#include "engine/formats/stablehlo/scanner.h"

namespace tpulab::stablehlo {

// Throws Error naming the line for dynamic extents, more than eight axes, and extents below 0.
TensorType read_type(Scanner& scan);

// What orders exchanges with the host: !stablehlo.token.
bool is_token(const TensorType& type);

// The whole numbers of "[0, 1]", "array<i64: 0, 1>", "dense<[[1, 1]]> : tensor<1x2xi64>", "3 :
// i64"; a splat as often as its type says, at most `longest` times.
inline constexpr std::size_t longest_list = 4096;
std::vector<std::int64_t> whole_numbers(std::string_view raw);
// "[a, [b], c]" -> "a", "[b]", "c": the parts between the commas of one level.
std::vector<std::string_view> parts_of(std::string_view list);
// The rows of "#stablehlo.gather<offset_dims = [1], ..>" or "{stride = [2, 2]}".
Attributes inner_attributes(std::string_view raw);

// The one value that all elements of a dense constant have: "dense<1.0>", "dense<0xFF800000>",
// "dense<true>", and lists of one. Nothing for other lists.
std::optional<double> splat_value(std::string_view literal, std::string_view element);

}  // namespace tpulab::stablehlo
