// Stages that pass microbatches on compute what one device does with all layers and rows.
#include "tests/engine/training/models/pipeline_lockstep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/compiler/compile.h"
#include "engine/training/gradient.h"
#include "engine/training/networks/networks.h"
#include "tests/engine/ops/step.h"
#include "tests/engine/training/lockstep.h"
#include "tests/engine/training/small_networks.h"

namespace tpulab::test::pipeline_lockstep_test {
namespace {

constexpr std::int64_t batch_rows = 8;

DecoderSizes sizes_of(std::int64_t layers) {
  return {.layers = layers,
          .width = 8,
          .heads = 4,
          .shared = 2,
          .head_width = 2,
          .hidden = 12,
          .gated = true,
          .rms = true};
}

Network network_of(std::int64_t layers, bool tied = false) {
  DecoderSizes sizes = sizes_of(layers);
  sizes.tied = tied;
  return {decoder(sizes), {.row = {5}, .dtype = DType::s32, .classes = 7, .labels = 5}};
}

struct Data {
  std::map<std::string, Array> weights;
  Array rows{Shape{batch_rows, 5}, DType::s32};
  Array labels{Shape{batch_rows, 5}, DType::s32};
};

Data data_for(const Network& network) {
  Data data;
  const auto parameters = parameters_of(network.model, network.example, DType::f32);
  const std::vector<Array> values = initial_values(parameters, 7);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    data.weights.emplace(parameters[i].name, values[i]);
  }
  for (std::int64_t i = 0; i < data.rows.elements(); ++i) {
    data.rows[i] = static_cast<float>(i * 5 % 7);
    data.labels[i] = static_cast<float>((i * 3 + 1) % 7);
  }
  return data;
}

struct Whole {
  double loss = 0;
  std::map<std::string, Array> gradients;
};

// All layers written out on one device, all rows at once.
Whole unpipelined(const Network& network, const Data& data) {
  Graph graph;
  BufferId buffer = 0;
  std::vector<Tensor> leaves;
  std::vector<Array> inputs;
  const auto parameters = parameters_of(network.model, network.example, DType::f32);
  const auto leaf = [&](const Array& value) {
    inputs.push_back(value);
    return graph.leaf(++buffer, {value.shape(), value.dtype(), Placement::per_core});
  };
  for (const Parameter& one : parameters) leaves.push_back(leaf(data.weights.at(one.name)));
  const Tensor x = leaf(data.rows);
  const Tensor labels = reshape(leaf(data.labels), {data.labels.elements()});
  Scope scope(leaves, DType::f32, MatmulPrecision::highest);
  const Tensor logits = logits_of(network.model, scope, x, network.example, DType::f32);
  const Tensor loss = loss_of(network.model, scope, logits, labels, network.example);
  std::vector<NodeId> outputs{loss.id};
  for (const Tensor& slope : gradient(loss, leaves, 1)) outputs.push_back(slope.id);
  const std::vector<BufferId> overwrites(outputs.size(), -1);
  const auto program = compile(make_cut(graph, outputs, overwrites, {}, 1));
  const std::vector<Array> made = run_in_lockstep(*program, 1, {inputs})[0];
  Whole whole{made[0][0], {}};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    whole.gradients.emplace(parameters[i].name, made[i + 1]);
  }
  return whole;
}

Mesh pipeline(int stages, int microbatches) {
  Mesh mesh = one_device;
  mesh.pipeline = stages;
  mesh.microbatches = microbatches;
  return mesh;
}

TracedStep stage_program(const Network& network, const Mesh& mesh, Remat remat) {
  const WorkOptions options{.batch = batch_rows / mesh.microbatches,
                            .compute = DType::f32,
                            .products = MatmulPrecision::highest,
                            .optimizer = OptimizerKind::sgd,
                            .fused_attention = 0,
                            .mesh = mesh,
                            .remat = remat};
  return {network.model, network.example, options,
          parameters_of(network.model, network.example, DType::f32, mesh, tracing_of(options))};
}

PipelinedStep pipelined(const Network& network, const Data& data, const Mesh& mesh,
                        Remat remat = Remat::none) {
  std::vector<Array> inputs;
  std::vector<Array> labels;
  for (int i = 0; i < mesh.microbatches; ++i) {
    inputs.push_back(share_of(data.rows, 0, i, mesh.microbatches));
    labels.push_back(share_of(data.labels, 0, i, mesh.microbatches));
  }
  return run_pipeline(stage_program(network, mesh, remat), mesh, data.weights, inputs, labels);
}

void expect_same_step(const Network& network, const Mesh& mesh, Remat remat = Remat::none) {
  const Data data = data_for(network);
  const Whole whole = unpipelined(network, data);
  const PipelinedStep step = pipelined(network, data, mesh, remat);
  EXPECT_NEAR(step.loss / mesh.microbatches, whole.loss, 1e-5);
  ASSERT_EQ(step.gradients.size(), whole.gradients.size());
  for (const auto& [name, expected] : whole.gradients) {
    const Array& actual = step.gradients.at(name);
    ASSERT_EQ(actual.shape(), expected.shape()) << name;
    float largest = 0;
    for (const float value : expected.values()) largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0) << name;
    for (std::int64_t i = 0; i < actual.elements(); ++i) {
      ASSERT_NEAR(actual[i] / static_cast<float>(mesh.microbatches), expected[i],
                  2e-5f * largest + 1e-7f)
          << name << " at " << i;
    }
  }
}

TEST(PipelineLockstep, of_a_decoder_computes_what_one_device_does) {
  for (const Mesh& mesh : {pipeline(2, 2), pipeline(2, 8), pipeline(4, 4), pipeline(4, 8)}) {
    expect_same_step(network_of(4), mesh);
  }
}

TEST(PipelineLockstep, of_several_layers_a_stage_and_a_table_read_twice_too) {
  expect_same_step(network_of(6, true), pipeline(2, 4));
}

TEST(PipelineLockstep, of_layers_that_are_made_again_too) {
  for (const Remat remat : {Remat::minimal, Remat::full}) {
    expect_same_step(network_of(4), pipeline(2, 4), remat);
  }
}

int sends_of(const std::vector<NamedKernel>& kernels) {
  return static_cast<int>(std::ranges::count_if(kernels, [](const NamedKernel& kernel) {
    const auto* sent = std::get_if<CollectiveWork>(&kernel.work->items.front());
    return sent != nullptr && sent->kind == CollectiveKind::permute;
  }));
}

// A stage of llama2-7b does as often what those of a small decoder do on arrays.
TEST(PipelineLockstep, does_as_often_what_the_work_of_a_stage_says) {
  const Mesh mesh = pipeline(4, 8);
  const StepWork stage =
      step_work(workload_named("llama2-7b"), {.batch = 8, .sequence = 128, .mesh = mesh});
  const Network network = network_of(8);
  const PipelinedStep step = pipelined(network, data_for(network), mesh);
  const Block& layer = stage.blocks[1];
  const Block& between = stage.blocks[2];
  EXPECT_EQ(layer.turns, step.turns);
  EXPECT_EQ(between.turns, step.turns);
  for (const auto* pass : {&step.forward, &step.backward}) {
    for (const StageCounts& counts : *pass) {
      EXPECT_EQ(counts.layers, 2 * layer.useful);  // two of eight layers
      EXPECT_EQ(counts.outside, stage.blocks.front().turns);
      EXPECT_EQ(counts.outside, stage.blocks.back().turns);
      EXPECT_EQ(counts.sends, between.turns * sends_of(between.forward));
      EXPECT_EQ(counts.sends, between.turns * sends_of(between.backward));
    }
  }
}

}  // namespace
}  // namespace tpulab::test::pipeline_lockstep_test
