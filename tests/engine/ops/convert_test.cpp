#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::convert_test {
namespace {

Build to(DType dtype) {
  return [dtype](std::span<const Tensor> in) { return convert(in[0], dtype); };
}

TEST(Convert, rounds_to_bf16_truncates_to_integers_and_tests_for_zero) {
  const Array x(Shape{4}, {1.00390625f, -2.7f, 0, 3.9f});  // 1 + 2^-8 is a tie between 1 and 1.0078
  EXPECT_EQ(values_of({x}, to(DType::bf16))[0], 1.0f);
  EXPECT_EQ(values_of({x}, to(DType::s32)), (std::vector<float>{1, -2, 0, 3}));
  EXPECT_EQ(values_of({x}, to(DType::pred)), (std::vector<float>{1, 1, 0, 1}));
}

TEST(Convert, is_no_node_where_nothing_changes) {
  Step step;
  const Tensor x = step.input(Array(Shape{4}));
  EXPECT_EQ(convert(x, DType::f32).id, x.id);
  EXPECT_EQ(step.graph.traced_ops(), 0);
}

// bf16 and back has the slope 1 of the identity; differences see rounding, so compare exactly.
TEST(Convert, passes_the_gradient_in_the_dtype_of_its_input) {
  Step step;
  const Tensor x = step.input(numbers({4}, 1));
  const Tensor narrow = convert(x, DType::bf16);
  const Array upstream(Shape{4}, {1, 2, 3, 4}, DType::bf16);
  const auto gradients = backward(narrow, step.input(upstream));
  const Tensor found = gradients.at(x.id);
  EXPECT_EQ(found.type().dtype, DType::f32);
  EXPECT_EQ(step.value(found)[3], 4);
  EXPECT_FALSE(backward(convert(x, DType::s32), step.input(upstream)).contains(x.id));
  check_evaluation({numbers({40}, 1)}, to(DType::bf16));
}

TEST(Convert, costs_one_cheap_operation_and_keeps_sums_of_floats) {
  Step step;
  const Tensor x = step.input(Array(Shape{4}));
  EXPECT_EQ(work_of<VectorWork>(convert(x, DType::bf16)).cheap, 1);
  EXPECT_EQ(stack_of(convert(x, DType::bf16), {Stack::partial}), Stack::partial);
  EXPECT_EQ(stack_of(convert(x, DType::s32), {Stack::partial}), Stack::none);
  EXPECT_EQ(step.graph.node(convert(x, DType::bf16).id).op->attributes(), "to=bf16");
}

}  // namespace
}  // namespace tpulab::test::convert_test
