#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/ops/replicas.h"
#include "tests/engine/ops/step.h"

namespace tpulab::dropout_test {
namespace {

using test::Step;

constexpr Dropout a_tenth{.rate = 0.1, .random = {.seed = 7, .operations = 8}, .stream = 1};

Array ones(const Shape& shape) {
  Array array(shape);
  for (float& value : array.values()) value = 1;
  return array;
}

Array dropped(const Dropout& how, std::int64_t rows = 200) {
  Step step;
  return step.value(dropout(step.input(ones({rows, 500})), how));
}

double share_of_zeros(const Array& x) {
  return static_cast<double>(std::ranges::count(x.values(), 0.0f)) /
         static_cast<double>(x.elements());
}

TEST(Dropout, drops_its_share_and_makes_the_rest_larger) {
  const Array out = dropped(a_tenth);
  EXPECT_NEAR(share_of_zeros(out), 0.1, 0.004);  // four deviations of 100,000 draws
  for (const float value : out.values()) {
    EXPECT_TRUE(value == 0 || std::abs(value - 1 / 0.9f) < 1e-6f) << value;
  }
  Dropout half = a_tenth;
  half.rate = 0.5;
  EXPECT_NEAR(share_of_zeros(dropped(half)), 0.5, 0.007);
}

TEST(Dropout, draws_others_for_another_seed_or_layer_alone) {
  const auto same = [](const Array& a, const Array& b) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < a.elements(); ++i) count += a[i] == b[i] ? 1 : 0;
    return static_cast<double>(count) / static_cast<double>(a.elements());
  };
  Dropout next = a_tenth;
  next.random.seed = 8;
  Dropout layer = a_tenth;
  layer.stream = 2;
  EXPECT_EQ(same(dropped(a_tenth), dropped(a_tenth)), 1);
  // Of independent ones 0.9^2 + 0.1^2 agree.
  EXPECT_NEAR(same(dropped(a_tenth), dropped(next)), 0.82, 0.006);
  EXPECT_NEAR(same(dropped(a_tenth), dropped(layer)), 0.82, 0.006);
}

TEST(Dropout, is_no_node_in_evaluation) {
  Step step;
  const Tensor x = step.input(ones({2, 3}));
  EXPECT_EQ(dropout(x, {.rate = 0.1, .random = {}, .stream = 1}).id, x.id);
  EXPECT_EQ(dropout(x, {.rate = 0, .random = {.seed = 7, .operations = 8}}).id, x.id);
}

TEST(Dropout, draws_the_same_on_each_core_stacked_or_not) {
  test::Replicas replicas;
  test::Cores rows;
  for (int core = 0; core < test::cores; ++core) rows.push_back(ones({6, 40}));
  const Tensor y = dropout(replicas.per_core(rows), a_tenth);
  const Array stacked = replicas.merged().at(static_cast<std::size_t>(y.id));
  for (std::int64_t i = 0; i < stacked.elements(); ++i) {
    EXPECT_EQ(stacked[i], stacked[i % (6 * 40)]) << i;
  }
  EXPECT_GT(share_of_zeros(stacked), 0);
}

TEST(Dropout, costs_the_operations_of_its_random_numbers) {
  Step step;
  Dropout how = a_tenth;
  how.random.operations = 62;
  const Tensor y = dropout(step.input(ones({8, 128})), how);
  const Node& mask = step.graph.node(step.graph.node(y.id).inputs[0]);
  EXPECT_EQ(mask.op->name(), "rng-bit-generator");
  EXPECT_EQ(std::get<VectorWork>(mask.op->work({}, mask.type)).cheap, 62);
}

}  // namespace
}  // namespace tpulab::dropout_test
