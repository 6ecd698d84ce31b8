#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::among_largest_test {
namespace {

const Build marked = [](std::span<const Tensor> in) { return among_largest(in[0], in[1]); };

TEST(AmongLargest, marks_as_many_of_each_row_as_it_is_told) {
  const Array x(Shape{3, 4}, {1, 4, 3, 2, 1, 4, 3, 2, 1, 4, 3, 2});
  EXPECT_EQ(values_of({x, Array(Shape{3}, {2, 0, 9})}, marked),
            (std::vector<float>{0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(AmongLargest, marks_all_that_equal_the_smallest_of_them) {
  EXPECT_EQ(values_of({Array(Shape{1, 4}, {5, 2, 2, 1}), Array(Shape{1}, {2})}, marked),
            (std::vector<float>{1, 1, 1, 0}));
}

TEST(AmongLargest, passes_over_all_for_each_bit_of_the_limit) {
  Step step;
  const Tensor made = among_largest(step.input(Array(Shape{2, 8})), step.input(Array(Shape{2})));
  EXPECT_EQ(work_of<VectorWork>(made).cheap, 2 * 31 + 1);
  EXPECT_EQ(made.graph->node(made.id).op->traits().kernels, 31);
}

TEST(AmongLargest, lets_no_gradient_through) {
  Step step;
  const Tensor x = step.input(Array(Shape{1, 2}, {1, 2}));
  const Tensor made = among_largest(x, step.input(Array(Shape{1}, {1})));
  EXPECT_FALSE(backward(made, step.input(Array(Shape{1, 2}, {1, 1}))).contains(x.id));
}

TEST(AmongLargest, says_what_does_not_fit) {
  EXPECT_EQ(error_of([] {
              values_of({Array(Shape{2, 4}), Array(Shape{3})}, marked);
            }),
            "among_largest: f32[2,4] by f32[3] does not fit; give [m,n] and a count for each row, "
            "[m]");
}

}  // namespace
}  // namespace tpulab::test::among_largest_test
