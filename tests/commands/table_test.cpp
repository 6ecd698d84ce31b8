#include "commands/table.h"

#include <gtest/gtest.h>

namespace tpulab {
namespace {

using Lines = std::vector<std::string>;

TEST(Table, says_once_what_all_rows_share) {
  Table table({"slice", "step", "bound", "HBM", "nearest"});
  table.add({"v3-8", "1 ms", "host", "1 GiB", "-"});
  table.add({"v3-8", "2 ms", "host", "2 GiB", "-"});
  EXPECT_EQ(table.take_out_alike(1), (std::vector<std::string>{"bound: host"}));
  EXPECT_EQ(table.lines(), (std::vector<std::string>{"slice  step    HBM", "v3-8   1 ms  1 GiB",
                                                     "v3-8   2 ms  2 GiB"}));
}

TEST(Table, one_row_keeps_all_of_its_columns) {
  Table table({"slice", "bound"});
  table.add({"v3-8", "host"});
  EXPECT_TRUE(table.take_out_alike(0).empty());
  EXPECT_EQ(table.lines().front(), "slice  bound");
}

TEST(Table, words_stand_left_and_numbers_right) {
  Table table({"slice", "step"});
  table.add({"v3-8", "3.40 ms"});
  table.add({"v3-2048", "12.0 ms"});
  EXPECT_EQ(table.lines(), (Lines{"slice       step", "v3-8     3.40 ms", "v3-2048  12.0 ms"}));
}

TEST(Table, missing_cells_are_empty) {
  Table table({"a", "b"});
  table.add({"x"});
  EXPECT_EQ(table.lines(), (Lines{"a  b", "x"}));
  EXPECT_EQ(table.csv(), (Lines{"a,b", "x,"}));
}

TEST(Table, csv_quotes_what_would_break_it) {
  Table table({"hidden", "note"});
  table.add({"(64,64)", "says \"no\""});
  EXPECT_EQ(table.csv(), (Lines{"hidden,note", "\"(64,64)\",\"says \"\"no\"\"\""}));
}

}  // namespace
}  // namespace tpulab
