#include <gtest/gtest.h>

#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"

namespace tpulab::name_parts_test {
namespace {

Tensor leaf(Graph& graph, BufferId buffer, Shape shape, const char* label) {
  return graph.leaf(buffer, {std::move(shape), DType::f32, Placement::shared}, label);
}

// The gradient's product reads no weight: it goes to the update of one.
TEST(NameParts, a_kernel_has_the_name_of_the_weight_that_it_reads_or_changes) {
  Graph graph;
  const Tensor rows = graph.leaf(1, {{128, 64}, DType::f32, Placement::per_core}, "rows");
  const Tensor first = leaf(graph, 2, {64, 256}, "layer1.weight");
  const Tensor upstream = graph.leaf(3, {{128, 256}, DType::f32, Placement::per_core}, "upstream");
  const Tensor made = matmul(rows, first);
  const Tensor gradient = all_reduce(matmul(rows, upstream, {.transpose_left = true}), 2, true);
  const Tensor changed = subtract(first, gradient);
  const auto program = compile(make_cut(graph, std::vector<NodeId>{made.id, changed.id},
                                        std::vector<BufferId>{-1, 2}, {}, 2));
  int named = 0;
  for (const Kernel& kernel : program->kernels) {
    EXPECT_EQ(kernel.part, kernel.collective ? "" : "layer1") << kernel.name;
    EXPECT_EQ(kernel.full_name(), kernel.collective ? kernel.name : "layer1: " + kernel.name);
    ++named;
  }
  EXPECT_EQ(named, 4);
}

}  // namespace
}  // namespace tpulab::name_parts_test
