// What crosses HBM, and what is still at hand on a chip with memory beside that of its kernels.
#include <gtest/gtest.h>

#include <array>

#include "engine/compiler/compile.h"
#include "engine/ops/general_ops.h"
#include "engine/ops/ops.h"

namespace tpulab::measure_test {
namespace {

// Each product reads the one before, in f32 throughout.
std::shared_ptr<const Program> chain(int products, bool first_read_at_the_end) {
  Graph graph;
  Tensor x = graph.leaf(0, {{256, 128}, DType::f32, Placement::per_core});
  Tensor first;
  for (int i = 0; i < products; ++i) {
    const Tensor weight = graph.leaf(1 + i, {{128, 128}, DType::f32, Placement::shared});
    x = matmul(x, weight, {.precision = MatmulPrecision::highest});
    if (!first) first = x;
  }
  if (first_read_at_the_end) x = add(x, first);
  return compile(make_cut(graph, {x.id}, {-1}, "test", 1));
}

constexpr Bytes activation{256 * 128 * 4};
constexpr Bytes weight{128 * 128 * 4};

TEST(Measure, what_the_kernel_before_made_stays_where_it_fits_and_weights_come_from_outside) {
  const auto program = chain(2, false);
  ASSERT_EQ(program->kernels.size(), 2u);
  EXPECT_EQ(program->kernels[0].work->writes[0].held, activation);
  EXPECT_EQ(program->kernels[1].work->reads[0].held, activation);
  EXPECT_EQ(program->kernels[1].work->reads[1].held, Bytes{});
}

TEST(Measure, what_is_read_again_late_stays_where_all_fits_that_was_touched_meanwhile) {
  const auto program = chain(5, true);
  ASSERT_EQ(program->kernels.size(), 5u);
  EXPECT_EQ(program->kernels[1].work->reads[0].held, activation);
  // Its first reader and those behind touch four more activations (the last of them in this kernel)
  // and three weights, and this kernel one.
  const Bytes all = activation * 4 + weight * 4;
  EXPECT_EQ(program->kernels[4].work->reads.back().held, all);
  EXPECT_EQ(program->kernels[0].work->writes[0].held, all);
}

TEST(Measure, the_result_of_a_step_leaves_the_chip) {
  EXPECT_EQ(chain(4, true)->kernels.back().work->writes[0].held, Bytes{});
}

TEST(Measure, a_lone_slice_reads_what_it_takes) {
  Graph graph;
  const Tensor x = graph.leaf(0, {{256, 64, 128}, DType::f32, Placement::per_core});
  const auto program = compile(make_cut(graph, {slice(x, 0, 3, 2).id}, {-1}, "test", 1));
  ASSERT_EQ(program->kernels.size(), 1u);
  const KernelWork& work = program->kernels[0].work;
  ASSERT_EQ(work.reads.size(), 1u);
  EXPECT_EQ(work.reads[0].shape, (Shape{2, 64, 128}));
  EXPECT_EQ(work.bytes(), (Bytes{2 * 2 * 64 * 128 * 4}));
}

TEST(Measure, so_does_one_at_a_place_that_the_program_finds_out) {
  Graph graph;
  const Tensor x = graph.leaf(0, {{256, 64, 128}, DType::f32, Placement::per_core});
  const Tensor place = graph.leaf(1, {Shape{}, DType::s32, Placement::shared});
  const Tensor part = dynamic_slice(x, std::array{place, place, place}, {2, 64, 128});
  const auto program = compile(make_cut(graph, {part.id}, {-1}, "test", 1));
  ASSERT_EQ(program->kernels.size(), 1u);
  EXPECT_EQ(program->kernels[0].work->reads[0].shape, (Shape{2, 64, 128}));
}

TEST(Measure, each_part_of_an_array_that_nobody_touched_comes_from_outside) {
  Graph graph;
  const Tensor x = graph.leaf(0, {{256, 128}, DType::f32, Placement::per_core});
  const Tensor parts = multiply(slice(x, 0, 0, 64), slice(x, 0, 64, 64));
  const auto program =
      compile(make_cut(graph, {parts.id}, {-1}, "test", 1), {.again = {.dear = true}});
  ASSERT_EQ(program->kernels.size(), 1u);
  const KernelWork& work = program->kernels[0].work;
  EXPECT_EQ(work.bytes(), (Bytes{3 * 64 * 128 * 4}));
  for (const Operand& part : work.reads) EXPECT_EQ(part.held, Bytes{});
}

}  // namespace
}  // namespace tpulab::measure_test
