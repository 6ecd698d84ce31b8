// One entry of a points file with what its group and the file's defaults add, key by key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/toml.h"

namespace tpulab {

// Keys are spelled as this program does. Tables inside an entry (shape = {m = 8, ...}) are part of
// it. Errors name file, line and point.
class PointEntry {
 public:
  // Later tables win. Null ones are left out.
  PointEntry(const std::string& file, std::initializer_list<const toml::table*> tables);

  Error error(const std::string& what) const;
  // Throws Error for a key that is nearly one of a point's.
  void check_keys() const;
  bool has(std::string_view key) const { return values_.contains(std::string(key)); }
  const toml::node& at(std::string_view key) const;  // throws Error if it is missing
  std::string text(std::string_view key) const;      // one line
  double number(std::string_view key) const;         // finite
  std::int64_t whole(std::string_view key, std::int64_t least) const;  // up to 2 * 10^9
  // A text, a number or true and false, as a word.
  std::string word(std::string_view key) const;
  // Whole numbers (28.5e6 is one; true is 1; [3, 3] is 3), by key.
  std::map<std::string, std::int64_t> whole_numbers() const;

 private:
  void add(const toml::table& table, const std::string& inside);

  const std::string& file_;
  const toml::table* own_ = nullptr;
  std::map<std::string, const toml::node*> values_;
};

std::optional<std::int64_t> whole_number(const toml::node& node);

}  // namespace tpulab
