// Ops that move data: reshape, transpose, slice, pad, concatenate; and looking up embeddings.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::reshape_test {
namespace {

using enum Stack;

Build reshaped(const Shape& shape) {
  return [shape](std::span<const Tensor> in) { return reshape(in[0], shape); };
}
Build transposed(std::vector<int> order) {
  return [order](std::span<const Tensor> in) { return transpose(in[0], order); };
}
Build sliced(int axis, std::int64_t first, std::int64_t count) {
  return [=](std::span<const Tensor> in) { return slice(in[0], axis, first, count); };
}
Build padded(int axis, std::int64_t before, std::int64_t after) {
  return [=](std::span<const Tensor> in) { return pad(in[0], axis, before, after); };
}
Build joined(int axis) {
  return [axis](std::span<const Tensor> in) { return concatenate({in.begin(), in.end()}, axis); };
}
const Build looked_up = [](std::span<const Tensor> in) { return embedding(in[0], in[1]); };

Array ramp(const Shape& shape) {
  Array array(shape);
  std::iota(array.values().begin(), array.values().end(), 0.0f);
  return array;
}

TEST(Reshape, keeps_the_order_of_the_elements) {
  EXPECT_EQ(values_of({ramp({2, 3})}, reshaped({3, 2})), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  check_op({numbers({2, 3}, 1)}, reshaped({6}));
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  EXPECT_EQ(reshape(x, {2, 3}).id, x.id);
}

TEST(Reshape, moves_nothing_and_stacks_as_it_is_held) {
  Step step;
  const Tensor out = reshape(step.input(Array(Shape{2, 3})), {6});
  EXPECT_TRUE(step.graph.node(out.id).traits.bitcast);
  EXPECT_NO_THROW(work_of<std::monostate>(out));
  EXPECT_EQ(stack_of(out, {rows}), rows);
  EXPECT_EQ(stack_of(out, {partial}), partial);
  EXPECT_EQ(stack_of(reshape(step.input(Array(Shape{1})), {}), {rows}), none);
}

TEST(Reshape, refuses_another_number_of_elements) {
  Step step;
  EXPECT_EQ(error_of([&] {
              reshape(step.input(Array(Shape{2, 3})), {4});
            }),
            "reshape: f32[2,3] has 6 elements and f32[4] has 4; give as many");
}

// x[i,j,k] = 6 i + 3 j + k stands at [k,i,j].
TEST(Transpose, puts_each_axis_in_its_place) {
  EXPECT_EQ(values_of({ramp({2, 2, 3})}, transposed({2, 0, 1})),
            (std::vector<float>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
  EXPECT_EQ(values_of({ramp({2, 3})}, transposed({1, 0})), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST(Transpose, has_the_gradient_of_finite_differences) {
  check_op({numbers({2, 3, 4}, 1)}, transposed({2, 0, 1}));
  check_op({numbers({2, 3, 2, 2}, 1)}, transposed({0, 2, 1, 3}));
  check_op({numbers({2, 3}, 1)}, transposed({0, 1}));
}

TEST(Transpose, moves_each_element_once_and_keeps_rows_that_stay_first) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3, 4}));
  EXPECT_EQ(work_of<VectorWork>(transpose(x, {0, 2, 1})).shape, (Shape{2, 4, 3}));
  EXPECT_EQ(work_of<VectorWork>(transpose(x, {0, 2, 1})).cheap, 1);
  EXPECT_EQ(stack_of(transpose(x, {0, 2, 1}), {rows}), rows);
  EXPECT_EQ(stack_of(transpose(x, {1, 0, 2}), {rows}), none);
  EXPECT_EQ(stack_of(transpose(x, {1, 0, 2}), {partial}), partial);
}

TEST(Transpose, refuses_what_is_no_order_of_the_axes) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  EXPECT_EQ(error_of([&] {
              transpose(x, {0, 0});
            }),
            "transpose: 0,0 is no order of the axes of f32[2,3]; name each axis once");
  EXPECT_NE(error_of([&] { transpose(x, {0, 1, 2}); }), "");
  EXPECT_NE(error_of([&] { transpose(x, {0, 2}); }), "");
}

TEST(Slice, takes_a_part_of_one_axis) {
  EXPECT_EQ(values_of({ramp({2, 4})}, sliced(1, 1, 2)), (std::vector<float>{1, 2, 5, 6}));
  EXPECT_EQ(values_of({ramp({3, 2})}, sliced(0, 1, 2)), (std::vector<float>{2, 3, 4, 5}));
}

TEST(Pad, puts_zeros_around) {
  EXPECT_EQ(values_of({Array(Shape{2, 1}, {7, 8})}, padded(1, 1, 2)),
            (std::vector<float>{0, 7, 0, 0, 0, 8, 0, 0}));
  EXPECT_EQ(values_of({Array(Shape{1, 2}, {7, 8})}, padded(0, 1, 0)),
            (std::vector<float>{0, 0, 7, 8}));
}

TEST(Concatenate, joins_parts_along_one_axis) {
  const Array left(Shape{2, 1}, {1, 2});
  const Array right(Shape{2, 2}, {3, 4, 5, 6});
  EXPECT_EQ(values_of({left, right}, joined(1)), (std::vector<float>{1, 3, 4, 2, 5, 6}));
  EXPECT_EQ(values_of({right, right}, joined(0)), (std::vector<float>{3, 4, 5, 6, 3, 4, 5, 6}));
}

TEST(Slice, and_its_like_have_the_gradients_of_finite_differences) {
  check_op({numbers({2, 4, 3}, 1)}, sliced(1, 1, 2));
  check_op({numbers({4, 3}, 1)}, sliced(0, 0, 3));
  check_op({numbers({2, 2, 3}, 1)}, padded(1, 1, 2));
  check_op({numbers({2, 1, 2}, 1), numbers({2, 3, 2}, 2), numbers({2, 2, 2}, 3)}, joined(1));
  check_op({numbers({2, 3}, 1), numbers({1, 3}, 2)}, joined(0));
}

TEST(Slice, and_its_like_compute_nothing_and_stack_beside_their_axis) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  for (const Tensor out : {slice(x, 1, 0, 2), pad(x, 1, 1, 1), concatenate({x}, 1)}) {
    EXPECT_EQ(work_of<VectorWork>(out).shape, out.shape());
    EXPECT_EQ(work_of<VectorWork>(out).cheap, 0);
    EXPECT_EQ(stack_of(out, {rows}), rows);
  }
  for (const Tensor out : {slice(x, 0, 0, 2), pad(x, 0, 1, 1), concatenate({x}, 0)}) {
    EXPECT_EQ(stack_of(out, {rows}), none);
    EXPECT_EQ(stack_of(out, {partial}), partial);
  }
  EXPECT_EQ(stack_of(concatenate({x, x}, 1), {rows, shared}), none);
}

TEST(Slice, and_its_like_refuse_what_does_not_fit) {
  Step step;
  const Tensor x = step.input(Array(Shape{4, 3}));
  EXPECT_EQ(error_of([&] { slice(x, 1, 2, 2); }),
            "slice: 2 to 4 is not inside axis 1 of f32[4,3]; stay within its extent");
  EXPECT_EQ(error_of([&] { pad(x, 2, 0, 0); }), "pad: f32[4,3] has no axis 2; give 0 to 1");
  EXPECT_NE(error_of([&] { pad(x, 1, -1, 0); }), "");
  EXPECT_EQ(error_of([&] {
              concatenate({x, step.input(Array(Shape{4}))}, 0);
            }),
            "concatenate: f32[4,3] and f32[4] do not fit; only the extents of axis 0 may differ");
  EXPECT_NE(error_of([&] { concatenate({x, step.input(Array(Shape{3, 4}))}, 0); }), "");
}

TEST(Embedding, looks_up_a_row_for_each_id) {
  const Array table(Shape{3, 2}, {1, 2, 3, 4, 5, 6});
  const Array ids(Shape{2, 2}, {2, 0, 1, 2}, DType::s32);
  EXPECT_EQ(values_of({table, ids}, looked_up), (std::vector<float>{5, 6, 1, 2, 3, 4, 5, 6}));
  check_op({numbers({3, 2}, 1), ids}, looked_up);
  Step step;
  EXPECT_EQ(embedding(step.input(table), step.input(ids)).shape(), (Shape{2, 2, 2}));
}

}  // namespace
}  // namespace tpulab::test::reshape_test
