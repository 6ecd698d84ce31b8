#include "engine/runtime/run_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "engine/base/workers.h"
#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"
#include "engine/runtime/execute.h"
#include "engine/training/gradient.h"
#include "engine/training/optimizer.h"

namespace tpulab::run_order_test {
namespace {

Type shared(Shape shape) { return {shape, DType::f32, Placement::shared}; }

// A layer with ReLU, a loss and an update of its weights: every pass has something to do.
struct Layer {
  explicit Layer(int cores = 1) : world(cores) {
    const Tensor x = graph.leaf(0, {{24, 40}, DType::f32, Placement::per_core});
    const Tensor weight = graph.leaf(1, shared({40, 96}));
    const Tensor bias = graph.leaf(2, shared({96}));
    const Tensor last = graph.leaf(3, shared({96, 8}));
    const Tensor hidden = relu(add(matmul(x, weight), bias));
    const Tensor wide = reshape(matmul(hidden, last), {24 * 8});
    const Tensor loss = mean(multiply(wide, wide));
    const std::vector<Tensor> parameters{weight, bias, last};
    outputs.push_back(all_reduce(loss, world, true).id);
    BufferId buffer = 10;
    const std::vector<Tensor> slopes = gradient(loss, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::vector<Tensor> moments{graph.leaf(buffer++, parameters[i].type()),
                                        graph.leaf(buffer++, parameters[i].type())};
      const Updated updated = update({.kind = OptimizerKind::adam}, 3, parameters[i],
                                     all_reduce(slopes[i], world, true), moments);
      outputs.push_back(updated.parameter.id);
      for (const Tensor& state : updated.state) outputs.push_back(state.id);
    }
  }

  Cut cut() const {
    return make_cut(graph, outputs, std::vector<BufferId>(outputs.size(), -1), "test", world);
  }

  Graph graph;
  int world;
  std::vector<NodeId> outputs;
};

// Positive, so that second moments have a root.
Array filled(const Type& type, NodeId seed) {
  Array array(type.shape, type.dtype);
  for (std::int64_t i = 0; i < array.elements(); ++i) {
    array[i] = static_cast<float>((i * 37 + seed * 11) % 101) / 250.0f;
  }
  return array;
}

TEST(RunOrder, a_fused_step_has_the_bits_of_its_ops_one_by_one) {
  const Layer layer;
  std::vector<Array> values(static_cast<std::size_t>(layer.graph.size()));
  const Cut cut = layer.cut();
  std::vector<ArrayView> leaves;
  for (const NodeId id : cut.nodes) {
    const Node& node = layer.graph.node(id);
    Array& value = values[static_cast<std::size_t>(id)];
    if (node.leaf()) {
      value = node.scalar ? Array::scalar(*node.scalar) : filled(node.type, id);
      leaves.push_back(value.view());
      continue;
    }
    std::vector<ArrayView> inputs;
    for (const NodeId input : node.inputs) {
      inputs.push_back(values[static_cast<std::size_t>(input)].view());
    }
    value = Array(node.type.shape, node.type.dtype);
    node.op->evaluate(inputs, value.span(), {});
    round_to(node.type.dtype, value.values());
  }
  WorkerPool workers(2);
  const std::vector<Array> results = Executor(workers, {}).run(*compile(cut), leaves);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto expected = values[static_cast<std::size_t>(layer.outputs[i])].values();
    ASSERT_EQ(results[i].values().size(), expected.size());
    EXPECT_EQ(std::memcmp(results[i].values().data(), expected.data(), expected.size_bytes()), 0)
        << "output " << i;
  }
}

TEST(RunOrder, evaluates_every_node_once_after_all_that_it_reads) {
  const Layer layer(4);
  const auto program = compile(layer.cut());
  for (const RunOrder& order : {run_order(*program), merged_run_order(*program)}) {
    std::vector<NodeId> all = order.first;
    for (const auto& kernel : order.kernels) all.insert(all.end(), kernel.begin(), kernel.end());
    std::vector<int> at(program->nodes.size(), -1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(at[static_cast<std::size_t>(all[i])], -1);
      at[static_cast<std::size_t>(all[i])] = static_cast<int>(i);
    }
    for (std::size_t id = 0; id < program->nodes.size(); ++id) {
      const Node& node = program->nodes[id];
      EXPECT_EQ(at[id] < 0, node.leaf());
      const bool first_only = node.traits.repeats;
      for (std::size_t i = 0; i < (first_only ? 1 : node.inputs.size()); ++i) {
        EXPECT_LT(at[static_cast<std::size_t>(node.inputs[i])], at[id]);
      }
    }
  }
}

TEST(RunOrder, an_all_reduce_of_merged_replicas_runs_in_the_loop_that_reads_it) {
  const Layer layer(4);
  const auto program = compile(layer.cut());
  const RunOrder order = merged_run_order(*program);
  for (std::size_t k = 0; k < program->kernels.size(); ++k) {
    if (!program->kernels[k].collective) continue;
    EXPECT_EQ(program->kernels[k].nodes.size(), 4u);
    // The loss, which only leaves, is left.
    ASSERT_EQ(order.kernels[k].size(), 1u);
    EXPECT_EQ(order.kernels[k][0], program->outputs[0]);
  }
}

}  // namespace
}  // namespace tpulab::run_order_test
