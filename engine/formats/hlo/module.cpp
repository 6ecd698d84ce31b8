#include "engine/formats/hlo/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/hlo/scanner.h"

namespace tpulab::hlo {

namespace {

std::int64_t product(const std::vector<std::int64_t>& extents) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : extents) elements *= extent;
  return elements;
}

std::string_view without_mark(std::string_view name) {
  if (name.starts_with('%')) name.remove_prefix(1);
  return name;
}

}  // namespace

std::int64_t ArrayType::elements() const { return product(extents); }

std::vector<std::int64_t> ArrayType::laid_out() const {
  std::vector<std::int64_t> outermost_first;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    outermost_first.push_back(extents[static_cast<std::size_t>(*axis)]);
  }
  return outermost_first;
}

Bytes ArrayType::bytes() const { return {elements() * bytes_of(dtype)}; }

Bytes ArrayType::stored() const {
  std::vector<std::int64_t> padded = laid_out();
  const std::size_t tiled = std::min(tile.size(), padded.size());
  for (std::size_t i = 1; i <= tiled; ++i) {
    std::int64_t& extent = padded[padded.size() - i];
    const std::int64_t step = std::max<std::int64_t>(tile[tile.size() - i], 1);
    extent = (extent + step - 1) / step * step;
  }
  if (padded.empty()) return {bytes_of(dtype) * product(tile)};
  return {product(padded) * bytes_of(dtype)};
}

std::vector<ArrayType> ResultType::element(std::size_t index) const {
  if (index >= elements.size()) return arrays;
  const std::size_t end = index + 1 < elements.size() ? elements[index + 1] : arrays.size();
  const auto begin = arrays.begin() + static_cast<std::ptrdiff_t>(elements[index]);
  return {begin, arrays.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::string_view Instruction::find(std::string_view key) const {
  return attribute(attributes, key);
}

std::string_view Instruction::called(std::string_view key) const { return without_mark(find(key)); }

std::vector<std::string_view> branches_of(const Instruction& one) {
  std::vector<std::string_view> names;
  std::string_view list = one.find("branch_computations");
  while (list.find('%') != std::string_view::npos) {
    list = list.substr(list.find('%') + 1);
    names.push_back(list.substr(0, list.find_first_of(",} ")));
  }
  for (const char* key : {"true_computation", "false_computation"}) {
    if (!one.called(key).empty()) names.push_back(one.called(key));
  }
  return names;
}

const Instruction* Computation::find(std::string_view wanted) const {
  const auto found = places.find(wanted);
  return found == places.end() ? nullptr : &instructions[found->second];
}

const Instruction* Computation::parameter(std::size_t number) const {
  const std::string wanted = std::to_string(number);
  const auto found = std::ranges::find_if(instructions, [&](const Instruction& one) {
    return one.opcode == "parameter" && !one.operands.empty() && one.operands[0] == wanted;
  });
  return found == instructions.end() ? nullptr : &*found;
}

const Instruction* Computation::root() const {
  const auto found = std::ranges::find(instructions, true, &Instruction::root);
  if (found != instructions.end()) return &*found;
  return instructions.empty() ? nullptr : &instructions.back();
}

const Computation& Module::computation(std::string_view name, const Instruction& by) const {
  const auto found = computations.find(name);
  if (found == computations.end()) {
    refuse(by.line, fmt::format("{} calls '{}', which is not in the text", by.name, name));
  }
  return found->second;
}

void Module::refuse(int line, std::string_view what) const {
  throw Error(fmt::format("{}:{}: {}", file, line, what));
}

// "{ {0}: (2, {}, may-alias), {1}: (3, {}) }"
std::vector<Alias> aliases_of(const Module& module) {
  std::vector<Alias> aliases;
  const std::string_view list = attribute(module.header, "input_output_alias");
  for (std::size_t at = list.find(": ("); at != std::string_view::npos;
       at = list.find(": (", at + 1)) {
    const std::size_t open = std::min(list.rfind('{', at), at);
    const std::int64_t result = first_number(list.substr(open, at - open), 0);
    const std::int64_t parameter = first_number(list.substr(at, list.find(',', at) - at), -1);
    if (result >= 0 && parameter >= 0) {
      aliases.push_back({static_cast<std::size_t>(result), parameter});
    }
  }
  return aliases;
}

std::string_view attribute(std::string_view list, std::string_view key) {
  Scanner scan(list);
  while (!scan.at_end()) {
    scan.accept(",");
    const std::string_view word = scan.until("=,");
    if (!scan.accept("=")) {
      if (!scan.accept(",")) scan.skip_one();
      continue;
    }
    const std::string_view value = scan.value();
    if (word == key) return value;
  }
  return {};
}

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end && numbers.size() < longest_list;) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) {
      numbers.push_back(std::clamp(number, -largest_number, largest_number));
    }
    at = next == at ? at + 1 : next;
  }
  return numbers;
}

std::int64_t first_number(std::string_view text, std::int64_t otherwise) {
  const std::vector<std::int64_t> numbers = numbers_in(text);
  return numbers.empty() ? otherwise : numbers[0];
}

std::string_view unquoted(std::string_view text) {
  const std::size_t open = text.find('"');
  const std::size_t close = text.rfind('"');
  if (open == std::string_view::npos || close <= open) return {};
  return text.substr(open + 1, close - open - 1);
}

}  // namespace tpulab::hlo
