#include "engine/compiler/fingerprint.h"

#include <gtest/gtest.h>

#include "engine/ops/ops.h"

namespace tpulab::fingerprint_test {
namespace {

// relu(x w + b) over `rows` rows; every test changes one thing about it.
struct Traced {
  Graph graph;
  Tensor x, w, b, result;

  explicit Traced(std::int64_t rows = 32, BufferId weight = 1, BufferId bias = 2) {
    x = graph.leaf(0, {{rows, 64}, DType::f32, Placement::per_core}, "images");
    w = graph.leaf(weight, {{64, 10}, DType::f32, Placement::shared}, "weight");
    b = graph.leaf(bias, {{10}, DType::f32, Placement::shared}, "bias");
    result = relu(add(matmul(x, w), b));
  }
  Cut cut(std::vector<Tensor> outputs, std::string topology = "v3-8, 8 of 8 devices") const {
    std::vector<NodeId> ids;
    for (const Tensor& output : outputs) ids.push_back(output.id);
    const std::vector<BufferId> none(ids.size(), -1);
    return make_cut(graph, ids, none, std::move(topology), 8);
  }
  Fingerprint print(std::vector<Tensor> outputs) const { return fingerprint(cut(outputs)); }
};

std::string only_cause(const Fingerprint& before, const Fingerprint& now) {
  const std::vector<std::string> found = describe_difference(before, now);
  EXPECT_EQ(found.size(), 1u) << found[0] << (found.size() > 1 ? "; " + found[1] : "");
  return found[0];
}

TEST(Fingerprint, of_the_same_trace_is_the_same) {
  const Traced one;
  const Traced other;
  EXPECT_EQ(one.print({one.result}).key, other.print({other.result}).key);
  EXPECT_EQ(fingerprint_key(one.cut({one.result})), one.print({one.result}).key);
}

TEST(Fingerprint, does_not_see_which_buffer_an_input_is) {
  const Traced one;
  const Traced other(32, 71, 72);
  EXPECT_EQ(one.print({one.result}).key, other.print({other.result}).key);
}

TEST(Fingerprint, does_not_see_nodes_that_no_output_needs) {
  Traced one;
  const Traced other;
  multiply(one.result, one.result);
  EXPECT_EQ(one.print({one.result}).key, other.print({other.result}).key);
}

TEST(Fingerprint, names_an_input_whose_shape_changed) {
  const Traced full;
  const Traced last(20);
  const Fingerprint now = last.print({last.result});
  EXPECT_NE(full.print({full.result}).key, now.key);
  EXPECT_EQ(only_cause(full.print({full.result}), now), "input 0: f32[32,64] -> f32[20,64]");
}

TEST(Fingerprint, names_an_extra_live_output) {
  const Traced one;
  Traced other;
  const Fingerprint before = one.print({one.result});
  // The same ops: the intermediate sum is only kept alive.
  const Tensor sum{&other.graph, other.graph.node(other.result.id).inputs[0]};
  const Fingerprint now = other.print({other.result, sum});
  EXPECT_NE(before.key, now.key);
  EXPECT_EQ(only_cause(before, now), "live outputs: 1 -> 2 (f32[32,10] add is kept too)");
}

TEST(Fingerprint, names_a_static_attribute) {
  Traced one;
  Traced other;
  const Fingerprint before = one.print({reduce_sum(one.result, 0)});
  const Fingerprint now = other.print({reduce_sum(other.result, 1)});
  EXPECT_NE(before.key, now.key);
  const std::string cause = describe_difference(before, now)[0];
  EXPECT_TRUE(cause.starts_with("op: reduce ")) << cause;
  EXPECT_NE(cause.find(" -> reduce "), std::string::npos) << cause;
}

TEST(Fingerprint, names_an_aliased_parameter) {
  Graph apart;
  const Type vector{{8}, DType::f32, Placement::shared};
  const Tensor sum = add(apart.leaf(1, vector), apart.leaf(2, vector));
  Graph tied;
  const Tensor twice = add(tied.leaf(1, vector), tied.leaf(1, vector));
  const Fingerprint before = fingerprint(make_cut(apart, {sum.id}, {-1}, "", 1));
  const Fingerprint now = fingerprint(make_cut(tied, {twice.id}, {-1}, "", 1));
  EXPECT_NE(before.key, now.key);
  EXPECT_EQ(only_cause(before, now), "inputs 0 and 1 are now one buffer");
  EXPECT_EQ(only_cause(now, before), "input 1 is now a buffer of its own");
}

TEST(Fingerprint, names_a_scalar_that_reaches_one) {
  const auto scaled = [](double rate) {
    auto graph = std::make_unique<Graph>();
    const Tensor x = graph->leaf(0, {{8}, DType::f32, Placement::shared}, "x");
    const Tensor y = multiply(x, scalar(*graph, rate, "learning_rate"));
    return fingerprint(make_cut(*graph, {y.id}, {-1}, "", 1));
  };
  EXPECT_EQ(scaled(0.25).key, scaled(0.75).key);
  EXPECT_NE(scaled(0.75).key, scaled(1.0).key);
  EXPECT_EQ(only_cause(scaled(0.75), scaled(1.0)),
            "scalar learning_rate is now the constant 1 (0, 1 and -1 are compiled in)");
  EXPECT_EQ(only_cause(scaled(0.0), scaled(0.25)),
            "scalar learning_rate is no longer the constant 0");
}

TEST(Fingerprint, names_the_topology) {
  const Traced one;
  const Fingerprint before = fingerprint(one.cut({one.result}, "v3-8, 8 of 8 devices"));
  const Fingerprint now = fingerprint(one.cut({one.result}, "v3-8, 1 of 8 devices"));
  EXPECT_EQ(only_cause(before, now), "topology: v3-8, 8 of 8 devices -> v3-8, 1 of 8 devices");
}

TEST(Fingerprint, names_a_change_of_wiring) {
  const Type vector{{8}, DType::f32, Placement::shared};
  Graph one;
  const Tensor one_first = one.leaf(1, vector);
  const Tensor one_second = one.leaf(2, vector);
  const Tensor a = subtract(one_first, one_second);
  Graph other;
  const Tensor other_first = other.leaf(1, vector);
  const Tensor other_second = other.leaf(2, vector);
  const Tensor b = subtract(other_second, other_first);
  const Fingerprint before = fingerprint(make_cut(one, {a.id}, {-1}, "", 1));
  const Fingerprint now = fingerprint(make_cut(other, {b.id}, {-1}, "", 1));
  EXPECT_NE(before.key, now.key);
  EXPECT_EQ(only_cause(before, now), "the same ops, wired differently");
}

TEST(Fingerprint, sees_what_is_given_up_for_an_output) {
  const Traced one;
  const Cut kept = make_cut(one.graph, {one.result.id}, {-1}, "", 1);
  const Cut given = make_cut(one.graph, {one.result.id}, {1}, "", 1);
  EXPECT_NE(fingerprint_key(kept), fingerprint_key(given));
  EXPECT_EQ(only_cause(fingerprint(kept), fingerprint(given)),
            "other input buffers are given up for outputs");
}

}  // namespace
}  // namespace tpulab::fingerprint_test
