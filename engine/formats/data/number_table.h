// Comma-separated rows: numbers and a class each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct NumberTable {
  std::vector<std::string> columns{};  // of numbers; "column 1" where no line names them
  std::string label_column{};
  std::vector<std::string> classes{};  // in order: numbers by size, else words by letters
  std::vector<float> values{};         // row by row
  std::vector<int> labels{};           // indices of classes

  std::int64_t rows() const { return std::ssize(labels); }
};

// Fields stand between commas, semicolons or tabs, as the first line has them, and may be quoted.
// The class is in the column called label, class, target, species or y, the first of these that
// there is, else in the last. A first line with a word among its features names the columns; so
// does one with such a name whose other fields count up from 0 or 1, if no later row is of that
// class. Throws Error with file, line and column.
NumberTable parse_table(std::string_view text, const std::string& file);

}  // namespace tpulab
