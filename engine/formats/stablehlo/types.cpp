#include "engine/formats/stablehlo/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "engine/base/text.h"
#include "engine/formats/element_types.h"

namespace tpulab::stablehlo {

namespace {

// "4x8xf32" -> extents, and what is left: "f32".
std::string_view take_extents(Scanner& scan, std::string_view inside,
                              std::vector<std::int64_t>& extents) {
  while (!inside.empty() && (is_digit(inside.front()) || inside.front() == '?')) {
    if (inside.front() == '?') {
      extents.push_back(scan.open_extent());
      if (extents.back() == 0 || !inside.starts_with("?x")) {
        scan.refuse(fmt::format(
            "tensor<{}> has a shape that is known only at run time; export with fixed sizes",
            inside));
      }
      inside.remove_prefix(2);
      continue;
    }
    std::int64_t extent = 0;
    const auto [last, error] =
        std::from_chars(inside.data(), inside.data() + inside.size(), extent);
    const auto used = static_cast<std::size_t>(last - inside.data());
    if (error != std::errc() || used >= inside.size() || inside[used] != 'x') {
      scan.refuse(fmt::format("tensor<{}> is no type", inside));
    }
    extents.push_back(extent);
    inside.remove_prefix(used + 1);
  }
  return inside;
}

TensorType tensor_type(Scanner& scan, std::string_view whole) {
  std::vector<std::int64_t> extents;
  std::string_view inside = whole.substr(whole.find('<') + 1);
  inside.remove_suffix(1);
  inside = take_extents(scan, trimmed(inside), extents);
  if (extents.size() > Shape::max_rank) {
    scan.refuse(
        fmt::format("{} has {} axes; at most {} are read", whole, extents.size(), Shape::max_rank));
  }
  constexpr std::int64_t longest = std::int64_t{1} << 44;
  if (std::ranges::any_of(extents, [](std::int64_t extent) { return extent > longest; })) {
    scan.refuse(fmt::format("{} has an extent beyond 2^44", whole));
  }
  TensorType type{.shape = Shape(std::span<const std::int64_t>(extents)), .text = whole};
  type.element = trimmed(inside.substr(0, inside.find(',')));
  if (type.element.empty()) scan.refuse(fmt::format("{} has no element type", whole));
  // Throws for what cannot be counted.
  try {
    type.shape.elements();
  } catch (const std::exception& error) {
    scan.refuse(error.what());
  }
  return type;
}

std::string_view between(std::string_view raw, char open, char close) {
  const std::size_t from = raw.find(open);
  const std::size_t to = raw.rfind(close);
  if (from == std::string_view::npos || to == std::string_view::npos || to < from) return {};
  return raw.substr(from + 1, to - from - 1);
}

// The parts between the commas that stand in no bracket.
std::vector<std::string_view> split_level(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (c == '[' || c == '<' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == '>' || c == ')' || c == '}') --depth;
    if (c != ',' || (depth != 0 && at < text.size())) continue;
    const std::string_view part = trimmed(text.substr(from, at - from));
    if (!part.empty()) parts.push_back(part);
    from = at + 1;
  }
  return parts;
}

// Of text without types: words and their digits are skipped.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size() && numbers.size() < longest_list;) {
    if (is_letter(text[at])) {
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
    } else if (is_digit(text[at]) ||
               (text[at] == '-' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      std::int64_t number = 0;
      const char* const end = text.data() + text.size();
      const auto [last, error] = std::from_chars(text.data() + at, end, number);
      if (error == std::errc()) {
        numbers.push_back(std::clamp(number, -largest_number, largest_number));
      }
      at = static_cast<std::size_t>(last - text.data());
    } else {
      ++at;
    }
  }
  return numbers;
}

// How many elements "tensor<4x2xi64>" has; 1 if that cannot be told.
std::size_t elements_of(std::string_view type) {
  std::size_t count = 1;
  for (const std::int64_t extent : numbers_in(between(type, '<', '>'))) {
    count *= static_cast<std::size_t>(std::clamp<std::int64_t>(extent, 0, longest_list));
    count = std::min(count, longest_list);
  }
  return count;
}

// "4x2xi64": in numbers_in() the x would hide the 2.
std::string spaced(std::string_view type) {
  std::string text(type.substr(0, 256));
  std::ranges::replace(text, 'x', ' ');
  return text;
}

// "dense<1> : tensor<4xi64>" -> "dense<1>"
std::string_view without_type(std::string_view literal) {
  const std::size_t end = literal.find("> :");
  return end == std::string_view::npos ? literal : literal.substr(0, end + 1);
}

std::optional<double> from_bits(std::string_view digits, std::string_view element) {
  const auto read = number_in<std::uint64_t>(digits, 16);
  if (!read) return std::nullopt;
  const std::uint64_t bits = *read;
  if (element == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (element == "bf16") return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
  if (element == "f16") {
    const bool infinite = (bits & 0x7fff) == 0x7c00;
    if (!infinite) return std::nullopt;
    return (bits & 0x8000) != 0 ? -HUGE_VAL : HUGE_VAL;
  }
  if (element.starts_with("f")) return std::nullopt;
  return static_cast<double>(bits);
}

}  // namespace

TensorType read_type(Scanner& scan) {
  scan.peek();
  const std::size_t from = scan.position();
  if (!scan.accept("tensor")) {
    const std::string_view other =
        scan.peek() == '!' ? (scan.accept("!"), scan.value()) : scan.value();
    return {.text = other};
  }
  if (scan.peek() != '<') scan.refuse("'<' is missing behind tensor");
  scan.balanced();
  return tensor_type(scan, scan.since(from));
}

bool is_token(const TensorType& type) {
  return type.element.empty() && type.text.ends_with(".token");
}

std::vector<std::int64_t> whole_numbers(std::string_view raw) {
  raw = trimmed(raw);
  if (raw.starts_with("array<")) {
    const std::string_view inside = between(raw, '<', '>');
    const std::size_t colon = inside.find(':');
    return colon == std::string_view::npos ? std::vector<std::int64_t>{}
                                           : numbers_in(inside.substr(colon));
  }
  if (raw.starts_with("dense<")) {
    const std::size_t end = raw.find('>');
    std::vector<std::int64_t> numbers = numbers_in(between(raw.substr(0, end + 1), '<', '>'));
    const bool splat = numbers.size() == 1 && raw.find('[') > end;
    if (splat) {
      numbers.resize(elements_of(spaced(raw.substr(std::min(end + 1, raw.size())))), numbers[0]);
    }
    return numbers;
  }
  if (!raw.starts_with("[")) raw = raw.substr(0, raw.find(':'));
  return numbers_in(raw);
}

std::vector<std::string_view> parts_of(std::string_view list) {
  return split_level(between(list, '[', ']'));
}

Attributes inner_attributes(std::string_view raw) {
  const bool braces = trimmed(raw).starts_with("{");
  Attributes rows;
  for (const std::string_view row :
       split_level(braces ? between(raw, '{', '}') : between(raw, '<', '>'))) {
    const std::size_t equals = row.find('=');
    if (equals == std::string_view::npos) continue;
    rows.add(trimmed(row.substr(0, equals)), trimmed(row.substr(equals + 1)));
  }
  return rows;
}

std::optional<double> splat_value(std::string_view literal, std::string_view element) {
  std::string_view text = trimmed(between(without_type(literal), '<', '>'));
  while (text.starts_with('[') && text.ends_with(']')) {
    text = trimmed(text.substr(1, text.size() - 2));
  }
  if (text == "true") return 1.0;
  if (text == "false") return 0.0;
  if (text.starts_with("0x")) return from_bits(text.substr(2), element);
  return number_in<double>(text);
}

}  // namespace tpulab::stablehlo
