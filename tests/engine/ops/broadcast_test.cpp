#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::broadcast_test {
namespace {

Build repeated(const Shape& shape) {
  return [shape](std::span<const Tensor> in) { return broadcast_to(in[0], shape); };
}

TEST(BroadcastTo, repeats_a_scalar_and_a_vector) {
  EXPECT_EQ(values_of({Array::scalar(7)}, repeated({2, 2})), (std::vector<float>{7, 7, 7, 7}));
  EXPECT_EQ(values_of({Array(Shape{2}, {1, 2})}, repeated({3, 2})),
            (std::vector<float>{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(values_of({Array(Shape{1, 2}, {1, 2})}, repeated({2, 1, 2})),
            (std::vector<float>{1, 2, 1, 2}));
}

TEST(BroadcastTo, has_the_gradient_of_finite_differences) {
  check_op({numbers({}, 1)}, repeated({3, 2}));
  check_op({numbers({4}, 1)}, repeated({3, 4}));
  check_op({numbers({2, 4}, 1)}, repeated({3, 2, 4}));
}

TEST(BroadcastTo, computes_nothing_and_writes_its_shape) {
  Step step;
  const Tensor out = broadcast_to(step.input(Array(Shape{4})), {3, 4});
  const VectorWork work = work_of<VectorWork>(out);
  EXPECT_EQ(work.shape, (Shape{3, 4}));
  EXPECT_EQ(work.cheap + work.medium + work.transcendental, 0);
  EXPECT_EQ(stack_of(out, {Stack::partial}), Stack::partial);
  EXPECT_EQ(stack_of(out, {Stack::rows}), Stack::none);
}

TEST(BroadcastTo, is_no_node_where_the_shape_is_there_already) {
  Step step;
  const Tensor x = step.input(Array(Shape{4}));
  EXPECT_EQ(broadcast_to(x, {4}).id, x.id);
}

TEST(BroadcastTo, refuses_shapes_that_do_not_repeat) {
  Step step;
  const Tensor x = step.input(Array(Shape{4}));
  EXPECT_EQ(error_of([&] {
              broadcast_to(x, {4, 3});
            }),
            "broadcast_to: f32[4] does not repeat to f32[4,3]; give a scalar or [n] to [m,n]");
}

}  // namespace
}  // namespace tpulab::test::broadcast_test
