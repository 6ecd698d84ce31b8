#include "engine/evidence/point_entry.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/utf8.h"
#include "engine/evidence/point_words.h"

namespace tpulab {

namespace {

constexpr std::size_t longest_text = 500;

std::optional<std::int64_t> same_in_all(const toml::array& array) {
  if (array.empty()) return std::nullopt;
  const auto first = whole_number(array.front());
  for (const toml::node& node : array) {
    if (whole_number(node) != first) return std::nullopt;
  }
  return first;
}

bool names_it(std::string_view key) {
  return key == "name" || key == "type" || key == "kind" || key == "kernel" || key == "model";
}

}  // namespace

std::optional<std::int64_t> whole_number(const toml::node& node) {
  if (const auto yes = node.value_exact<bool>()) return *yes ? 1 : 0;
  if (const auto whole = node.value_exact<std::int64_t>()) return whole;
  if (const auto number = node.value_exact<double>()) {
    if (*number == std::floor(*number) && std::abs(*number) < 9e15) {
      return static_cast<std::int64_t>(*number);
    }
  }
  if (const toml::array* array = node.as_array()) return same_in_all(*array);
  return std::nullopt;
}

PointEntry::PointEntry(const std::string& file, std::initializer_list<const toml::table*> tables)
    : file_(file) {
  for (const toml::table* table : tables) {
    if (table == nullptr) continue;
    own_ = table;
    add(*table, "");
  }
}

void PointEntry::add(const toml::table& table, const std::string& inside) {
  for (const auto& [typed, node] : table) {
    std::string key = key_word(typed.str());
    if (!inside.empty() && names_it(key)) key = inside;
    // A convolution's window is often called its kernel.
    if (key == "kernel" && (node.is_number() || node.is_array())) key = "window";
    if (const toml::table* part = node.as_table()) {
      add(*part, key == "kernel" || key == "model" ? key : "");
    } else if (key != "points" && key != "point") {
      values_[key] = &node;
    }
  }
}

Error PointEntry::error(const std::string& what) const {
  const auto id = values_.find("id");
  const std::string name = id == values_.end() ? "?" : id->second->value_or(std::string("?"));
  return Error(fmt::format("{}:{}: point '{}' {}", file_, own_->source().begin.line, name, what));
}

void PointEntry::check_keys() const {
  for (const auto& [key, node] : values_) {
    const std::string near = nearly_key(key);
    if (near.empty()) continue;
    throw Error(fmt::format("{}:{}: there is no key '{}'; did you mean {}?", file_,
                            node->source().begin.line, key, near));
  }
}

const toml::node& PointEntry::at(std::string_view key) const {
  const auto found = values_.find(std::string(key));
  if (found != values_.end()) return *found->second;
  throw error(fmt::format("has no '{}'; add it to the entry, its group or the defaults", key));
}

std::string PointEntry::text(std::string_view key) const {
  const auto value = at(key).value_exact<std::string>();
  if (!value) throw error(fmt::format("needs a text as '{}'", key));
  // One line of a table is made of it.
  if (value->size() <= longest_text && printable(*value) == *value) return *value;
  throw error(fmt::format("needs one line of at most {} bytes without control characters as '{}'",
                          longest_text, key));
}

double PointEntry::number(std::string_view key) const {
  const auto value = at(key).value<double>();
  if (value && std::isfinite(*value)) return *value;
  throw error(fmt::format("needs a number as '{}'", key));
}

std::int64_t PointEntry::whole(std::string_view key, std::int64_t least) const {
  constexpr std::int64_t most = 2'000'000'000;
  if (const auto value = whole_number(at(key)); value && *value >= least && *value <= most) {
    return *value;
  }
  throw error(fmt::format("needs a whole number from {} on as '{}'", least, key));
}

std::string PointEntry::word(std::string_view key) const {
  const toml::node& node = at(key);
  if (const auto yes = node.value_exact<bool>()) return *yes ? "true" : "false";
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  return text(key);
}

std::map<std::string, std::int64_t> PointEntry::whole_numbers() const {
  std::map<std::string, std::int64_t> numbers;
  for (const auto& [key, node] : values_) {
    if (key == "value" || key == "noise" || key == "remat") continue;
    if (const auto number = whole_number(*node)) numbers[key] = *number;
  }
  return numbers;
}

}  // namespace tpulab
