// Rule: code stays within 100 columns.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tidy/source_tree.h"

namespace tpulab::tidy::columns_test {
namespace {

constexpr std::ptrdiff_t most_columns = 100;

bool is_code(const SourceFile& file) {
  return is_cpp(file) || file.path == "dev" || file.path.ends_with("CMakeLists.txt") ||
         file.path.ends_with(".cmake");
}

// Every byte that does not continue a UTF-8 character.
std::ptrdiff_t columns_of(std::string_view line) {
  return std::ranges::count_if(line,
                               [](char c) { return (static_cast<unsigned>(c) & 0xC0U) != 0x80U; });
}

Complaints wide_lines(const SourceFile& file) {
  Complaints complaints;
  if (!is_code(file)) return complaints;
  std::size_t number = 0;
  for (const auto line : lines_of(file.text)) {
    ++number;
    if (columns_of(line) > most_columns) {
      complaints.push_back(complaint(file, number, "more than 100 columns"));
    }
  }
  return complaints;
}

TEST(TidyColumns, the_tree_stays_within_100_columns) {
  EXPECT_EQ(listed(check_tree(wide_lines)), "");
}

TEST(TidyColumns, a_line_of_101_columns_is_found_and_one_of_100_is_not) {
  const SourceFile planted{"engine/a.cpp", std::string(100, 'a') + "\n" + std::string(101, 'b')};
  EXPECT_EQ(listed(wide_lines(planted)), "engine/a.cpp:2: more than 100 columns");
}

TEST(TidyColumns, a_character_of_three_bytes_is_one_column) {
  std::string line;
  for (int i = 0; i < 100; ++i) line += "\u2588";
  EXPECT_TRUE(wide_lines({"tui/a.cpp", line}).empty());
}

}  // namespace
}  // namespace tpulab::tidy::columns_test
