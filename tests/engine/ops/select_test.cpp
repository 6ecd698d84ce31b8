#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::select_test {
namespace {

const Build compare = [](std::span<const Tensor> in) { return greater(in[0], in[1]); };
const Build choose = [](std::span<const Tensor> in) { return select(in[0], in[1], in[2]); };

Array mask(const Shape& shape, std::vector<float> values) {
  return Array(shape, std::move(values), DType::pred);
}

TEST(Greater, is_one_where_the_left_side_is_larger) {
  const Array left(Shape{3}, {1, 2, 3});
  EXPECT_EQ(values_of({left, Array(Shape{3}, {2, 2, 2})}, compare), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(values_of({left, Array::scalar(1.5f)}, compare), (std::vector<float>{0, 1, 1}));
  check_evaluation({numbers({40}, 1), numbers({40}, 2)}, compare);
}

TEST(Greater, answers_pred_and_lets_no_gradient_through) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  const Tensor out = greater(x, x);
  EXPECT_EQ(out.type().dtype, DType::pred);
  EXPECT_FALSE(backward(out, out).contains(x.id));
  EXPECT_EQ(work_of<VectorWork>(out).cheap, 1);
}

TEST(Select, takes_each_element_from_the_side_the_condition_names) {
  const Array yes(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  const Array no(Shape{3}, {-1, -2, -3});
  const Array condition = mask({2, 3}, {1, 0, 1, 0, 1, 0});
  EXPECT_EQ(values_of({condition, yes, no}, choose), (std::vector<float>{1, -2, 3, -1, 5, -3}));
  EXPECT_EQ(values_of({condition, yes, Array::scalar(9)}, choose),
            (std::vector<float>{1, 9, 3, 9, 5, 9}));
  EXPECT_EQ(values_of({condition, Array::scalar(9), yes}, choose),
            (std::vector<float>{9, 2, 9, 4, 9, 6}));
  EXPECT_EQ(values_of({condition, Array::scalar(9), Array::scalar(8)}, choose),
            (std::vector<float>{9, 8, 9, 8, 9, 8}));
  EXPECT_EQ(values_of({mask({}, {0}), yes, no}, choose),
            (std::vector<float>{-1, -2, -3, -1, -2, -3}));
  EXPECT_EQ(values_of({mask({}, {1}), yes, no}, choose), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Select, has_the_gradient_of_finite_differences) {
  const Array condition = mask({2, 3}, {1, 0, 1, 0, 1, 0});
  check_op({condition, numbers({2, 3}, 1), numbers({2, 3}, 2)}, choose);
  check_op({condition, numbers({2, 3}, 1), numbers({3}, 2)}, choose);
  check_op({condition, numbers({}, 1), numbers({2, 3}, 2)}, choose);
}

TEST(Select, costs_one_cheap_operation_and_keeps_sums_under_a_shared_condition) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  const Tensor out = select(greater(x, x), x, x);
  EXPECT_EQ(work_of<VectorWork>(out).cheap, 1);
  EXPECT_EQ(stack_of(out, {Stack::shared, Stack::partial, Stack::partial}), Stack::partial);
  EXPECT_EQ(stack_of(out, {Stack::shared, Stack::partial, Stack::shared}), Stack::none);
}

TEST(Select, refuses_a_condition_of_numbers_and_shapes_that_do_not_fit) {
  Step step;
  const Tensor x = step.input(Array(Shape{3}));
  const Tensor y = step.input(Array(Shape{4}));
  EXPECT_EQ(error_of([&] { select(x, x, x); }),
            "select: the condition is f32[3]; give a comparison's result (pred)");
  EXPECT_NE(error_of([&] { select(greater(x, x), x, y); }), "");
  EXPECT_NE(error_of([&] { greater(x, y); }).find("compare: "), std::string::npos);
}

}  // namespace
}  // namespace tpulab::test::select_test
