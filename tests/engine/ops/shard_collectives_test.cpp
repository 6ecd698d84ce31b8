#include <gtest/gtest.h>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::shard_collectives_test {
namespace {

TEST(ShardCollectives, change_one_extent_by_the_number_of_devices) {
  Step step;
  const Tensor part = step.input(Array(Shape{2, 3}), Placement::per_core);
  const Tensor whole = all_gather(part, 1, {4, 1});
  EXPECT_EQ(whole.shape(), (Shape{2, 12}));
  EXPECT_EQ(whole.type().placement, Placement::per_core);
  const Tensor back = reduce_scatter(whole, 1, {4, 1});
  EXPECT_EQ(back.shape(), (Shape{2, 3}));
  EXPECT_EQ(back.type().placement, Placement::per_core);
  EXPECT_EQ(all_gather(part, 1, {1, 1}).id, part.id);
  EXPECT_EQ(reduce_scatter(part, 1, {1, 1}).id, part.id);
}

// The payload is the whole array: 2 x 12 values of 4 bytes.
TEST(ShardCollectives, carry_the_whole_array) {
  Step step;
  const Tensor whole = all_gather(step.input(Array(Shape{2, 3})), 1, {4, 1});
  EXPECT_EQ(work_of<CollectiveWork>(whole).kind, CollectiveKind::all_gather);
  EXPECT_EQ(work_of<CollectiveWork>(whole).bytes.value, 96);
  const Tensor back = reduce_scatter(whole, 1, {4, 1});
  EXPECT_EQ(work_of<CollectiveWork>(back).kind, CollectiveKind::reduce_scatter);
  EXPECT_EQ(work_of<CollectiveWork>(back).bytes.value, 96);
}

// Between slices each part that a slice's devices hold of a value crosses once.
TEST(ShardCollectives, sum_the_parts_of_a_slice_between_slices) {
  Step step;
  const Tensor sum = all_reduce(step.input(Array(Shape{2, 3})), {2, 16}, 4);
  EXPECT_EQ(work_of<CollectiveWork>(sum).bytes.value, 4 * 24);
  EXPECT_EQ(work_of<CollectiveWork>(sum).among.size, 2);
  EXPECT_EQ(work_of<CollectiveWork>(sum).among.apart, 16);
}

// Megatron's pair: one passes its gradient and the other one sums it.
TEST(ShardCollectives, sum_in_one_pass_only) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  const Tensor seed = step.input(Array(Shape{2, 3}));
  const Tensor sum = all_reduce(x, {4, 1});
  EXPECT_EQ(backward(sum, seed).at(x.id).id, seed.id);
  const Tensor divided = divided_among(x, {4, 1});
  EXPECT_FALSE(step.graph.node(divided.id).traits.collective);
  const Tensor back = backward(divided, seed).at(x.id);
  EXPECT_EQ(step.graph.node(back.id).op->name(), "all-reduce");
  EXPECT_EQ(step.graph.node(back.id).inputs, NodeIds{seed.id});
  EXPECT_EQ(divided_among(x, {1, 1}).id, x.id);
  EXPECT_EQ(all_reduce(x, {1, 1}).id, x.id);
}

TEST(ShardCollectives, are_each_the_others_gradient) {
  Step step;
  const Tensor part = step.input(Array(Shape{2, 3}));
  const Tensor whole = all_gather(part, 0, {4, 1});
  const auto gradients = backward(whole, step.input(Array(whole.shape())));
  const Tensor back = gradients.at(part.id);
  EXPECT_EQ(step.graph.node(back.id).op->name(), "reduce-scatter");
  EXPECT_EQ(back.shape(), (Shape{2, 3}));
  const auto forth = backward(back, step.input(Array(back.shape())));
  const NodeId upstream = step.graph.node(back.id).inputs[0];
  EXPECT_EQ(step.graph.node(forth.at(upstream).id).op->name(), "all-gather");
}

TEST(ShardCollectives, are_collectives_without_numbers) {
  Step step;
  const Tensor whole = all_gather(step.input(Array(Shape{2, 3})), 0, {4, 1});
  EXPECT_TRUE(step.graph.node(whole.id).traits.collective);
  EXPECT_EQ(stack_of(whole, {Stack::rows}), Stack::none);
  EXPECT_EQ(error_of([&] { step.value(whole); }),
            "all-gather is only priced; run a sharded program with numbers off");
}

TEST(ShardCollectives, refuse_an_axis_that_does_not_divide_or_is_not_there) {
  Step step;
  const Tensor x = step.input(Array(Shape{2, 3}));
  EXPECT_EQ(
      error_of([&] {
        reduce_scatter(x, 1, {4, 1});
      }),
      "reduce-scatter: axis 1 of f32[2,3] does not divide among 4 devices; choose an axis that "
      "does");
  EXPECT_EQ(error_of([&] {
              all_gather(x, 2, {4, 1});
            }),
            "all-gather: f32[2,3] has no axis 2; give 0 to 1");
}

}  // namespace
}  // namespace tpulab::test::shard_collectives_test
