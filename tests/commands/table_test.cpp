#include "commands/table.h"

#include <gtest/gtest.h>

namespace tpulab::table_test {
namespace {

using Lines = std::vector<std::string>;

TEST(Table, says_once_what_all_rows_share) {
  Table table({"slice", "stack", "step", "bound", "HBM", "nearest"});
  table.add({"v3-8", "jax", "1 ms", "host", "1 GiB", "-"});
  table.add({"v3-8", "jax", "2 ms", "host", "2 GiB", "-"});
  EXPECT_EQ(table.take_out_alike({"slice"}), (Lines{"stack: jax", "bound: host"}));
  EXPECT_EQ(table.lines(), (std::vector<std::string>{"slice  step    HBM", "v3-8   1 ms  1 GiB",
                                                     "v3-8   2 ms  2 GiB"}));
}

TEST(Table, one_row_keeps_all_of_its_columns) {
  Table table({"slice", "bound"});
  table.add({"v3-8", "host"});
  EXPECT_TRUE(table.take_out_alike({}).empty());
  EXPECT_EQ(table.lines().front(), "slice  bound");
}

TEST(Table, drops_what_says_least_until_a_line_has_room_and_names_it) {
  Table table({"slice", "step", "HBM", "nearest", ""});
  table.add({"v3-8", "1 ms", "1 GiB", "C-S5", "####"});
  EXPECT_EQ(table.fit(0, {"", "nearest"}), Lines());
  EXPECT_EQ(table.fit(35, {"", "nearest"}), Lines());
  EXPECT_EQ(table.lines().back(), "v3-8   1 ms  1 GiB  C-S5     ####");
  EXPECT_EQ(table.fit(20, {"", "nearest", "step"}), (Lines{"nearest"}));
  EXPECT_EQ(table.lines(), (Lines{"slice  step    HBM", "v3-8   1 ms  1 GiB"}));
  EXPECT_EQ(no_room_line({"nearest", "HBM"}),
            "no room here for: nearest, HBM; a wider screen or format csv has it");
  EXPECT_EQ(table.fit(1, {"step", "HBM"}), (Lines{"step", "HBM"})) << "the others stay";
  EXPECT_EQ(table.lines(), (Lines{"slice", "v3-8"}));
}

TEST(Table, the_last_column_goes_on_below_itself_where_a_line_has_no_room) {
  Table table({"", "lesson", "about"});
  table.add({"1", "one-core", "what one core does in a step"});
  const Lines broken{"   lesson    about", "1  one-core  what one core",
                     "             does in a step"};
  EXPECT_EQ(table.lines(30), broken);
  EXPECT_EQ(table.lines().back(), "1  one-core  what one core does in a step");
  EXPECT_EQ(table.lines(20), table.lines()) << "too narrow beside the others";
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

TEST(Table, a_row_of_csv_is_one_line) {
  EXPECT_EQ(csv_line({"1", "out of memory:\n  weights 1 GiB,\n  rest\n"}),
            "1,\"out of memory: weights 1 GiB, rest\"");
}

}  // namespace
}  // namespace tpulab::table_test
