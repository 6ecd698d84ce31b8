#include "engine/formats/row_graph.h"

#include <gtest/gtest.h>

#include <set>

namespace tpulab::row_graph_test {
namespace {

int same(std::size_t, int axis) { return axis; }
// Rows of the left operand, columns of the right one.
int of_product(std::size_t operand, int axis) {
  return static_cast<std::size_t>(axis) == operand ? axis : -1;
}

using Found = std::set<ArgumentAxis>;

// x [32,8] times w [8,4], and b [4] for each row.
struct Layer {
  RowGraph graph{};
  int x = graph.add_argument(0, {32, 8});
  int w = graph.add_argument(1, {8, 4});
  int b = graph.add_argument(2, {4});
  int product = graph.add(RowStep::other, {32, 4}, {x, w}, of_product);
  int repeated = graph.add(RowStep::flows, {32, 4}, {b}, [](std::size_t, int) { return 1; });
  int made = graph.add(RowStep::adds, {32, 4}, {product, repeated}, same);
};

TEST(RowGraph, leads_from_rows_of_a_product_to_those_of_its_batch) {
  const Layer layer;
  EXPECT_EQ(layer.graph.behind(layer.made, 0).axes, (Found{{.argument = 0, .axis = 0}}));
  EXPECT_EQ(layer.graph.behind(layer.made, 1).axes,
            (Found{{.argument = 1, .axis = 1}, {.argument = 2, .axis = 0}}));
}

TEST(RowGraph, leads_from_a_sum_to_the_first_axis_of_what_is_summed) {
  Layer layer;
  const auto none = [](std::size_t, int) { return -1; };
  const int sum = layer.graph.add(RowStep::flows, {}, {layer.made}, none);
  EXPECT_EQ(layer.graph.behind(sum, RowGraph::all).axes, (Found{{.argument = 0, .axis = 0}}));
}

// One row of x a turn; `state`: also of what the turn before left.
RowsBehind behind_turns(bool state) {
  RowGraph graph;
  const int x = graph.add_argument(0, {32, 8});
  graph.enter_loop(false);
  const int given = graph.add_joined({1, 8});
  const int rows = graph.add_joined({32, 8});
  const int one = graph.add(RowStep::cuts, {1, 8}, {x}, same);
  const int left = graph.add(RowStep::flows, {1, 8}, {one, state ? given : RowGraph::none}, same);
  const int stacked = graph.add(RowStep::lays, {32, 8}, {rows, left}, same);
  graph.hand_on(given, left);
  graph.hand_on(rows, stacked);
  graph.leave_loop();
  return graph.behind(stacked, 0);
}

TEST(RowGraph, leads_from_what_turns_lay_below_each_other_to_what_they_take_one_by_one) {
  const Found taken{{.argument = 0, .axis = 0, .by_turns = true}};
  EXPECT_EQ(behind_turns(false).axes, taken);
  EXPECT_FALSE(behind_turns(false).along_time);
  EXPECT_EQ(behind_turns(true).axes, taken);
  EXPECT_TRUE(behind_turns(true).along_time);
}

// 128 rows in four batches, of which a turn takes one.
TEST(RowGraph, leads_from_rows_of_a_batch_to_the_axis_that_batches_were_made_of) {
  RowGraph graph;
  const int x = graph.add_argument(0, {128, 8});
  const auto axis_of = [](std::size_t, int axis) { return axis == 0 ? 0 : 2; };
  const int batches = graph.add(RowStep::keeps, {4, 32, 8}, {x}, axis_of);
  graph.enter_loop(false);
  const int one = graph.add(RowStep::cuts, {1, 32, 8}, {batches}, same);
  const Found rows{{.argument = 0, .axis = 0, .behind_turns = true}};
  EXPECT_EQ(graph.behind(one, 1).axes, rows);
  EXPECT_TRUE(graph.behind(batches, 1).axes.empty());
}

TEST(RowGraph, knows_what_turns_only_add_to) {
  RowGraph graph;
  const int x = graph.add_argument(0, {32, 8});
  graph.enter_loop(false);
  const int sum = graph.add_joined({32, 8});
  const int state = graph.add_joined({32, 8});
  const int added = graph.add(RowStep::adds, {32, 8}, {sum, x}, same);
  const int made = graph.add(RowStep::flows, {32, 8}, {state}, same);
  const int next = graph.add(RowStep::adds, {32, 8}, {state, made}, same);
  EXPECT_TRUE(graph.only_adds(sum, added));
  EXPECT_FALSE(graph.only_adds(state, next));
  EXPECT_FALSE(graph.only_adds(sum, sum));
}

}  // namespace
}  // namespace tpulab::row_graph_test
