#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::add_test {
namespace {

const Build sum = [](std::span<const Tensor> in) { return add(in[0], in[1]); };
const Build minus = [](std::span<const Tensor> in) { return subtract(in[0], in[1]); };

Array matrix() { return Array(Shape{2, 3}, {1, 2, 3, 4, 5, 6}); }
Array bias() { return Array(Shape{3}, {10, 20, 30}); }

TEST(Add, adds_equal_shapes_a_scalar_and_a_bias) {
  EXPECT_EQ(values_of({matrix(), matrix()}, sum), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(values_of({matrix(), Array::scalar(1)}, sum), (std::vector<float>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(values_of({Array::scalar(1), matrix()}, sum), (std::vector<float>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(values_of({matrix(), bias()}, sum), (std::vector<float>{11, 22, 33, 14, 25, 36}));
}

TEST(Add, has_the_gradient_of_finite_differences) {
  for (const Build& build : {sum, minus}) {
    check_op({numbers({2, 3}, 1), numbers({2, 3}, 2)}, build);
    check_op({numbers({4, 3}, 1), numbers({3}, 2)}, build);
    check_op({numbers({4, 3}, 1), numbers({}, 2)}, build);
    check_op({numbers({}, 1), numbers({4, 3}, 2)}, build);
    check_op({numbers({4}, 1), numbers({}, 2)}, build);
  }
}

TEST(Subtract, takes_the_right_side_away) {
  EXPECT_EQ(values_of({matrix(), bias()}, minus), (std::vector<float>{-9, -18, -27, -6, -15, -24}));
  EXPECT_EQ(values_of({Array::scalar(1), matrix()}, minus),
            (std::vector<float>{0, -1, -2, -3, -4, -5}));
}

TEST(Add, costs_one_cheap_operation_per_element) {
  Step step;
  const VectorWork work = work_of<VectorWork>(add(step.input(matrix()), step.input(bias())));
  EXPECT_EQ(work.shape, (Shape{2, 3}));
  EXPECT_EQ(work.cheap, 1);
  EXPECT_EQ(work.medium + work.transcendental, 0);
}

TEST(Add, of_sums_is_the_sum_only_if_both_sides_are_sums) {
  Step step;
  for (const Tensor out : {add(step.input(matrix()), step.input(matrix())),
                           subtract(step.input(matrix()), step.input(matrix()))}) {
    EXPECT_EQ(stack_of(out, {Stack::partial, Stack::partial}), Stack::partial);
    EXPECT_EQ(stack_of(out, {Stack::partial, Stack::shared}), Stack::none);
    EXPECT_EQ(stack_of(out, {Stack::partial, Stack::rows}), Stack::none);
  }
}

TEST(Add, refuses_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(matrix());
  const Tensor y = step.input(Array(Shape{2}));
  EXPECT_EQ(error_of([&] { add(x, y); }),
            "add: the shapes f32[2,3] f32[2] do not fit; give equal shapes, a scalar, or a bias "
            "[n] after [m,n]");
  EXPECT_NE(error_of([&] { add(step.input(bias()), x); }), "");
  EXPECT_NE(error_of([&] { subtract(x, y); }).find("subtract: "), std::string::npos);
}

}  // namespace
}  // namespace tpulab::test::add_test
