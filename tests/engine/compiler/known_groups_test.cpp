#include "engine/compiler/known_groups.h"

#include <gtest/gtest.h>

#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"

namespace tpulab::known_groups_test {
namespace {

// relu(x w) over `rows` rows, its sum, and a loop over as many elements as `others` rows have.
std::shared_ptr<const Program> traced(std::int64_t rows, std::int64_t others) {
  Graph graph;
  const Type weights{{64, 64}, DType::f32, Placement::shared};
  const Tensor x = graph.leaf(0, {{rows, 64}, DType::f32, Placement::per_core});
  const Tensor y = relu(matmul(x, graph.leaf(1, weights)));
  const Tensor z = multiply(graph.leaf(2, {{others, 64}, DType::f32, Placement::per_core}), y);
  return compile(make_cut(graph, {z.id, reduce_sum(y, 0).id}, {-1, -1}, {}, 1));
}

TEST(KnownGroups, of_another_batch_are_the_same) {
  const auto one = traced(32, 32);
  const auto other = traced(48, 48);
  EXPECT_EQ(fusion_key(*one, false), fusion_key(*other, false));
  ASSERT_EQ(one->kernels.size(), other->kernels.size());
  for (std::size_t k = 0; k < one->kernels.size(); ++k) {
    EXPECT_EQ(one->kernels[k].nodes, other->kernels[k].nodes);
  }
}

TEST(KnownGroups, are_remembered_by_their_key) {
  const FingerprintKey key{{1, 2}};
  EXPECT_EQ(known_groups(key), nullptr);
  const auto groups = std::make_shared<const KernelNodes>(KernelNodes{{0, 1}, {2}});
  remember_groups(key, groups);
  EXPECT_EQ(known_groups(key), groups);
}

TEST(KnownGroups, are_others_where_other_arrays_are_as_long_or_rows_stay_in_vmem) {
  const auto square = traced(64, 64);  // as many rows as the weights have
  EXPECT_NE(fusion_key(*square, false), fusion_key(*traced(32, 32), false));
  EXPECT_NE(fusion_key(*square, false), fusion_key(*square, true));
}

}  // namespace
}  // namespace tpulab::known_groups_test
