#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::constant_test {
namespace {

TEST(Constant, fills_its_shape_and_is_no_work) {
  Step step;
  const Tensor out = constant(step.graph, 2.5, Shape{2, 2}, DType::f32);
  const Array& value = step.value(out);
  EXPECT_EQ(std::vector(value.values().begin(), value.values().end()), std::vector<float>(4, 2.5f));
  const Node& node = step.graph.node(out.id);
  EXPECT_TRUE(node.traits.constant);
  EXPECT_EQ(node.op->attributes(), "value=2.5 f32[2,2]");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(node.op->work({}, node.type)));
  EXPECT_EQ(stack_of(out, {}), Stack::shared);
}

TEST(Scalar, of_zero_one_and_minus_one_is_part_of_the_program) {
  for (const double value : {0.0, 1.0, -1.0}) {
    Step step;
    const Tensor out = scalar(step.graph, value);
    EXPECT_FALSE(step.graph.node(out.id).leaf());
    EXPECT_EQ(step.value(out)[0], static_cast<float>(value));
  }
}

TEST(Scalar, of_another_value_is_device_data) {
  Step step;
  const Tensor out = scalar(step.graph, 0.1, "learning rate");
  const Node& node = step.graph.node(out.id);
  EXPECT_TRUE(node.leaf());
  EXPECT_EQ(node.scalar, 0.1f);
  EXPECT_EQ(node.label, "learning rate");
  EXPECT_EQ(node.type.dtype, DType::f32);
}

}  // namespace
}  // namespace tpulab::test::constant_test
