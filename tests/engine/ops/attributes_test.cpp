#include <gtest/gtest.h>

#include "engine/compiler/fingerprint.h"
#include "engine/ops/ops.h"

namespace tpulab::attributes_test {
namespace {

FingerprintKey key_of(const Graph& graph, Tensor result) {
  return fingerprint_key(make_cut(graph, {result.id}, {-1}, "", 1));
}

TEST(Attributes, of_broadcast_hold_the_shape) {
  Graph one;
  Graph other;
  const Tensor a = broadcast_to(one.leaf(0, {}), {2, 6});
  const Tensor b = broadcast_to(other.leaf(0, {}), {3, 4});
  EXPECT_NE(key_of(one, a), key_of(other, b));
}

TEST(Attributes, of_a_constant_hold_shape_and_dtype) {
  Graph graph;
  const Tensor a = constant(graph, 2, {4}, DType::f32);
  const Tensor b = constant(graph, 2, {2, 2}, DType::f32);
  const Tensor c = constant(graph, 2, {4}, DType::bf16);
  EXPECT_NE(key_of(graph, a), key_of(graph, b));
  EXPECT_NE(key_of(graph, a), key_of(graph, c));
}

}  // namespace
}  // namespace tpulab::attributes_test
