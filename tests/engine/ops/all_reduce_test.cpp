#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::all_reduce_test {
namespace {

Build over(int world, bool mean) {
  return [=](std::span<const Tensor> in) { return all_reduce(in[0], world, mean); };
}

// The array that comes in is already the sum over the cores.
TEST(AllReduce, keeps_the_sum_or_divides_it_by_the_cores) {
  const Array sum(Shape{3}, {8, 16, 4});
  EXPECT_EQ(values_of({sum}, over(8, false)), (std::vector<float>{8, 16, 4}));
  EXPECT_EQ(values_of({sum}, over(8, true)), (std::vector<float>{1, 2, 0.5f}));
}

// As a function of the sum, its slope is 1 or 1/world; the gradient adds the cores' again.
TEST(AllReduce, has_the_gradient_of_finite_differences) {
  check_op({numbers({4}, 1)}, over(4, true));
  check_op({numbers({4}, 1)}, over(4, false));
}

TEST(AllReduce, over_one_core_is_no_node) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  EXPECT_EQ(all_reduce(x, 1, true).id, x.id);
}

TEST(AllReduce, answers_one_shared_value_and_moves_the_bytes_of_one_core) {
  Step step;
  const Tensor out =
      all_reduce(step.input(Array(Shape{100, 3}, DType::bf16), Placement::per_core), 8, true);
  EXPECT_EQ(out.type().placement, Placement::shared);
  const Node& node = step.graph.node(out.id);
  EXPECT_TRUE(node.traits.collective);
  EXPECT_EQ(node.op->attributes(), "mean world=8");
  EXPECT_EQ(work_of<CollectiveWork>(out).kind, CollectiveKind::all_reduce);
  EXPECT_EQ(work_of<CollectiveWork>(out).bytes.value, 100 * 3 * 2);
}

TEST(AllReduce, takes_sums_only) {
  Step step;
  const Tensor out = all_reduce(step.input(Array(Shape{3})), 8, true);
  EXPECT_EQ(stack_of(out, {Stack::partial}), Stack::shared);
  EXPECT_EQ(stack_of(out, {Stack::rows}), Stack::none);
  EXPECT_EQ(stack_of(out, {Stack::shared}), Stack::none);
}

}  // namespace
}  // namespace tpulab::test::all_reduce_test
