#include "engine/graph/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "engine/base/error.h"

namespace tpulab::test::graph_test {
namespace {

// The smallest op: answers its first input's type, and keeps to the defaults otherwise.
class Plain final : public Op {
 public:
  explicit Plain(OpTraits traits = {}) : traits_(traits) {}
  std::string_view name() const override { return "plain"; }
  std::string attributes() const override { return "kind=test"; }
  OpTraits traits() const override { return traits_; }
  Type infer(std::span<const Type> inputs) const override {
    return {inputs[0].shape, inputs[0].dtype, joined(inputs)};
  }
  void evaluate(std::span<const ArrayView> inputs, ArraySpan out,
                const EvaluateContext&) const override {
    std::ranges::copy(inputs[0].values(), out.values().begin());
  }
  Work work(std::span<const Type>, const Type&) const override { return std::monostate{}; }

 private:
  OpTraits traits_;
};

const Type matrix{Shape{2, 3}};

TEST(Graph, appends_in_run_order_and_counts_ops_without_leaves) {
  Graph graph;
  const Tensor x = graph.leaf(7, matrix, "images");
  const Tensor y = graph.apply(std::make_shared<Plain>(), {x});
  EXPECT_EQ(x.id, 0);
  EXPECT_EQ(y.id, 1);
  EXPECT_EQ(graph.size(), 2);
  EXPECT_EQ(graph.traced_ops(), 1);
  EXPECT_EQ(y.shape(), (Shape{2, 3}));
  EXPECT_TRUE(graph.node(x.id).leaf());
  EXPECT_EQ(graph.node(x.id).buffer, 7);
  EXPECT_EQ(graph.node(y.id).inputs, NodeIds{0});
}

TEST(Graph, keeps_two_leaves_of_one_buffer_apart) {
  Graph graph;
  const Tensor first = graph.leaf(3, matrix);
  const Tensor alias = graph.leaf(3, matrix);
  EXPECT_NE(alias.id, first.id);
  EXPECT_EQ(graph.node(alias.id).buffer, graph.node(first.id).buffer);
}

TEST(Graph, holds_equal_scalars_as_one_input) {
  Graph graph;
  const Tensor a = graph.scalar_leaf(0.5f, "rate");
  const Tensor b = graph.scalar_leaf(0.5f, "rate");
  EXPECT_EQ(a.id, b.id);
  EXPECT_NE(a.id, graph.scalar_leaf(0.25f).id);
  EXPECT_EQ(graph.node(a.id).scalar, 0.5f);
  EXPECT_TRUE(a.shape().scalar());
}

TEST(Graph, forgets_everything_at_a_reset) {
  Graph graph;
  graph.apply(std::make_shared<Plain>(), {graph.leaf(3, matrix)});
  graph.reset();
  EXPECT_EQ(graph.size(), 0);
  EXPECT_EQ(graph.traced_ops(), 0);
  EXPECT_EQ(graph.leaf(3, Type{Shape{5}}).shape(), Shape{5});
}

TEST(Graph, hands_a_host_op_to_the_runtime_and_appends_nothing) {
  Graph graph;
  const Tensor x = graph.leaf(3, matrix);
  const auto op = std::make_shared<Plain>(OpTraits{.on_host = true});
  EXPECT_THROW(graph.apply(op, {x}), std::logic_error);
  std::vector<NodeId> seen;
  graph.run_on_host = [&](const std::shared_ptr<const Op>& asked, std::span<const Tensor> inputs) {
    EXPECT_EQ(asked, op);
    seen.push_back(inputs[0].id);
    return graph.leaf(9, matrix);
  };
  const Tensor y = graph.apply(op, {x});
  EXPECT_EQ(seen, std::vector<NodeId>{x.id});
  EXPECT_EQ(graph.node(y.id).buffer, 9);
  EXPECT_EQ(graph.traced_ops(), 0);
}

TEST(Graph, refuses_a_tensor_of_another_graph) {
  Graph graph;
  Graph other;
  const Tensor stranger = other.leaf(3, matrix);
  EXPECT_THROW(graph.apply(std::make_shared<Plain>(), {stranger}), std::logic_error);
}

TEST(Op, is_per_core_if_any_input_is) {
  Graph graph;
  const Tensor shared = graph.leaf(1, matrix);
  const Tensor own = graph.leaf(2, {matrix.shape, DType::f32, Placement::per_core});
  EXPECT_EQ(graph.apply(std::make_shared<Plain>(), {shared, own}).type().placement,
            Placement::per_core);
  EXPECT_EQ(graph.apply(std::make_shared<Plain>(), {shared, shared}).type().placement,
            Placement::shared);
}

TEST(Op, stacks_only_shared_inputs_unless_it_says_more) {
  const Plain op;
  const std::vector<Stack> shared(2, Stack::shared);
  const std::vector<Stack> mixed{Stack::shared, Stack::rows};
  EXPECT_EQ(op.stack(shared, {}), Stack::shared);
  EXPECT_EQ(op.stack(mixed, {}), Stack::none);
}

TEST(Op, without_a_gradient_says_so) {
  const Plain op;
  try {
    op.gradient({}, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("plain has no gradient"), std::string::npos);
  }
  EXPECT_THROW(op.evaluate_on_host({}), Error);
}

}  // namespace
}  // namespace tpulab::test::graph_test
