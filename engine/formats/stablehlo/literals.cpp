#include "engine/formats/stablehlo/literals.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

[[noreturn]] void refuse(std::string_view element) {
  throw Error(fmt::format("its constant is no list of {}", element));
}

std::size_t width_of(std::string_view element) {
  if (element == "f32" || element == "i32" || element == "ui32") return 4;
  if (element == "i64" || element == "ui64" || element == "index") return 8;
  return element == "bf16" ? 2 : 1;
}

float number_of(std::uint64_t bits, std::string_view element) {
  if (element == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (element == "bf16") return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  if (element == "i32") return static_cast<float>(static_cast<std::int32_t>(bits));
  if (element == "i64") return static_cast<float>(static_cast<std::int64_t>(bits));
  if (element == "i8") return static_cast<float>(static_cast<std::int8_t>(bits));
  return static_cast<float>(bits);
}

// "3F80..": bytes as they lie in memory, the lowest of a number first.
std::vector<float> numbers_of_bytes(std::string_view digits, std::string_view element) {
  const std::size_t width = width_of(element);
  std::vector<float> numbers;
  for (std::size_t at = 0; at + 2 * width <= digits.size(); at += 2 * width) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < width; ++byte) {
      unsigned value = 0;
      const char* const from = digits.data() + at + 2 * byte;
      const auto [last, error] = std::from_chars(from, from + 2, value, 16);
      if (error != std::errc() || last != from + 2) refuse(element);
      bits |= static_cast<std::uint64_t>(value) << (8 * byte);
    }
    numbers.push_back(number_of(bits, element));
  }
  return numbers;
}

std::vector<float> numbers_of_list(std::string_view text, std::string_view element) {
  constexpr std::string_view between = "[], \n\t";
  std::vector<float> numbers;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    const std::optional<double> value =
        splat_value(fmt::format("dense<{}>", text.substr(at, end - at)), element);
    if (!value) refuse(element);
    numbers.push_back(static_cast<float>(*value));
    at = text.find_first_not_of(between, end);
  }
  return numbers;
}

}  // namespace

std::vector<float> numbers_of_literal(std::string_view literal, std::string_view element,
                                      std::int64_t elements) {
  const std::size_t from = literal.find('<');
  const std::size_t to = std::min(literal.find("> :"), literal.rfind('>'));
  if (from == std::string_view::npos || to == std::string_view::npos || to <= from) refuse(element);
  const std::string_view inside = literal.substr(from + 1, to - from - 1);
  const bool bytes = inside.starts_with("\"0x") && inside.ends_with('"');
  std::vector<float> numbers = bytes
                                   ? numbers_of_bytes(inside.substr(3, inside.size() - 4), element)
                                   : numbers_of_list(inside, element);
  if (numbers.size() == 1) numbers.resize(static_cast<std::size_t>(elements), numbers[0]);
  if (static_cast<std::int64_t>(numbers.size()) != elements) refuse(element);
  return numbers;
}

}  // namespace tpulab::stablehlo
