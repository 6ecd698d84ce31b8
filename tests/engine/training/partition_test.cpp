// A step divided over a mesh computes what one device would: the mean of the losses is its loss,
// and each device holds its part of the same gradients.
#include "engine/training/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/compiler/compile.h"
#include "engine/training/gradient.h"
#include "tests/engine/ops/check_op.h"
#include "tests/engine/training/lockstep.h"
#include "tests/engine/training/small_networks.h"

namespace tpulab::test::partition_test {
namespace {

constexpr std::int64_t rows = 8;

struct Traced {
  std::vector<Parameter> parameters;
  std::shared_ptr<const Program> program;  // leaves, rows, labels -> loss, gradients
};

Traced traced(const Network& network, const Mesh& mesh) {
  Example row = network.example;
  if (mesh.context > 1) {
    row.row[0] /= mesh.context;
    row.labels /= mesh.context;
  }
  Traced step{parameters_of(network.model, row, DType::f32, mesh), nullptr};
  Graph graph;
  BufferId buffer = 0;
  std::vector<Tensor> leaves;
  for (const Parameter& one : step.parameters) {
    leaves.push_back(graph.leaf(++buffer, {one.shape, DType::f32, Placement::per_core}, one.name));
  }
  const std::int64_t own = rows / mesh.replicas();
  const Type type{row.row.of_rows(own), row.dtype, Placement::per_core};
  const Tensor x = graph.leaf(++buffer, type, "rows");
  const Tensor labels =
      graph.leaf(++buffer, {{own * row.labels}, DType::s32, Placement::per_core}, "labels");
  Scope scope(leaves, DType::f32, MatmulPrecision::highest, mesh);
  const Tensor logits = logits_of(network.model, scope, x, row, DType::f32);
  const Tensor loss = loss_of(network.model, scope, logits, labels, row);
  std::vector<Tensor> slopes = gradient(loss, leaves, 1.0 / (mesh.replicas() * mesh.context));
  slopes = summed_gradients(std::move(slopes), step.parameters, mesh, DType::f32);
  std::vector<NodeId> outputs{loss.id};
  for (const Tensor& slope : slopes) outputs.push_back(slope.id);
  const std::vector<BufferId> overwrites(outputs.size(), -1);
  step.program = compile(make_cut(graph, outputs, overwrites, {}, mesh.devices()));
  return step;
}

// With zeros behind it, as far as the tensor group needs.
Array padded(const Array& whole, const Parameter& part, int shares) {
  const int axis = part.tensor.axis;
  Shape shape = part.shape;
  shape[axis] *= shares;
  Array result(shape, whole.dtype());
  std::int64_t inner = 1;
  std::int64_t outer = 1;
  for (int i = 0; i < axis; ++i) outer *= shape[i];
  for (int i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < whole.shape()[axis] * inner; ++i) {
      result[o * shape[axis] * inner + i] = whole[o * whole.shape()[axis] * inner + i];
    }
  }
  return result;
}

// What device number `device` holds of a parameter or its gradient.
Array part_on(const Array& whole, const Parameter& part, const Mesh& mesh, int device) {
  Array held = whole;
  const bool experts = part.tensor.of_experts;
  int place = device / mesh.tensor;  // among the devices that share it
  if (experts) {
    held = share_of(held, 0, place % mesh.expert, mesh.expert);
    place /= mesh.expert;
  }
  const int sharers = mesh.sharers() / (experts ? mesh.expert : 1);
  if (part.tensor.axis >= 0) {
    const int shares = mesh.tensor / part.tensor.copies;
    Parameter gathered = part;
    if (part.fsdp_axis >= 0) gathered.shape[part.fsdp_axis] *= sharers;
    gathered.fsdp_axis = -1;
    held = padded(held, gathered, shares);
    held = share_of(held, part.tensor.axis, device % mesh.tensor / part.tensor.copies, shares);
  }
  if (part.fsdp_axis < 0) return held;
  return share_of(held, part.fsdp_axis, place % sharers, sharers);
}

// The device's rows of an array [rows, tokens], or its part of these.
Array rows_on(const Array& all, std::int64_t tokens, const Mesh& mesh, int device) {
  const int inside = device / mesh.tensor;
  const int context = inside / mesh.expert % mesh.context;
  const int replica = inside / (mesh.expert * mesh.context) * mesh.expert + inside % mesh.expert;
  const Array own = share_of(all, 0, replica, mesh.replicas());
  if (mesh.context == 1) return own;
  Array table(Shape{own.elements() / tokens, tokens}, own.dtype());
  std::ranges::copy(own.values(), table.values().begin());
  const Array part = share_of(table, 1, context, mesh.context);
  if (own.shape().rank() == 2) return part;
  Array flat(Shape{part.elements()}, part.dtype());
  std::ranges::copy(part.values(), flat.values().begin());
  return flat;
}

struct Data {
  std::vector<Array> weights;
  Array rows;
  Array labels;
};

Data data_for(const Network& network) {
  const Example& row = network.example;
  Data data{initial_values(parameters_of(network.model, row, DType::f32), 7),
            numbers(row.row.of_rows(rows), 3, DType::f32),
            Array(Shape{rows * row.labels}, DType::s32)};
  if (is_integer(row.dtype)) {
    data.rows = Array(row.row.of_rows(rows), row.dtype);
    for (std::int64_t i = 0; i < data.rows.elements(); ++i) {
      data.rows[i] = static_cast<float>(i * 5 % row.classes);
    }
  }
  for (std::int64_t i = 0; i < data.labels.elements(); ++i) {
    data.labels[i] = static_cast<float>((i * 3 + 1) % row.classes);
  }
  return data;
}

std::vector<std::vector<Array>> run(const Traced& step, const Data& data, const Mesh& mesh) {
  const std::int64_t tokens = data.labels.elements() / rows;
  std::vector<std::vector<Array>> inputs;
  for (int device = 0; device < mesh.devices(); ++device) {
    std::vector<Array>& held = inputs.emplace_back();
    for (std::size_t i = 0; i < step.parameters.size(); ++i) {
      held.push_back(part_on(data.weights[i], step.parameters[i], mesh, device));
    }
    held.push_back(rows_on(data.rows, tokens, mesh, device));
    held.push_back(rows_on(data.labels, tokens, mesh, device));
  }
  return run_in_lockstep(*step.program, mesh.devices(), inputs);
}

void expect_near(const Array& actual, const Array& expected, const std::string& what) {
  ASSERT_EQ(actual.shape(), expected.shape()) << what;
  float largest = 0;
  for (const float value : expected.values()) largest = std::max(largest, std::abs(value));
  for (std::int64_t i = 0; i < actual.elements(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 2e-5f * largest + 1e-7f) << what << " at " << i;
  }
}

void expect_same_step(const Network& network, const Mesh& mesh) {
  const Data data = data_for(network);
  const std::vector<Array> whole = run(traced(network, one_device), data, one_device)[0];
  const Traced step = traced(network, mesh);
  const auto devices = run(step, data, mesh);
  double loss = 0;
  for (const auto& device : devices) loss += static_cast<double>(device[0][0]) / mesh.devices();
  EXPECT_NEAR(loss, whole[0][0], 1e-5);
  for (int device = 0; device < mesh.devices(); ++device) {
    for (std::size_t i = 0; i < step.parameters.size(); ++i) {
      const Array expected = part_on(whole[i + 1], step.parameters[i], mesh, device);
      expect_near(devices[static_cast<std::size_t>(device)][i + 1], expected,
                  step.parameters[i].name + " on device " + std::to_string(device));
    }
  }
}

const std::vector<Mesh> meshes{
    {1, 1, 1, 2}, {1, 1, 2, 1}, {1, 2, 1, 1}, {2, 1, 1, 1},
    {2, 1, 2, 1}, {1, 2, 2, 2}, {2, 1, 2, 2},
};

TEST(Partition, of_a_perceptron_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_perceptron(), mesh);
  for (const Mesh& mesh : meshes) expect_same_step(deep_perceptron(), mesh);
}

TEST(Partition, of_a_gpt_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_gpt(), mesh);
}

TEST(Partition, of_experts_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_mixtral(), mesh);
  for (const Mesh& mesh : meshes) expect_same_step(small_deepseek(), mesh);
}

TEST(Partition, of_a_llama_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_llama(), mesh);
}

TEST(Partition, of_published_kinds_of_decoders_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_qwen(), mesh);
  for (const Mesh& mesh : meshes) expect_same_step(small_neox(), mesh);
  for (const Mesh& mesh : meshes) expect_same_step(small_gemma(), mesh);
  expect_same_step(small_qwen(), {1, 1, 1, 4});
}

TEST(Partition, of_a_bert_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_bert(), mesh);
}

TEST(Partition, of_images_as_patches_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) {
    expect_same_step(small_vit(), mesh);
    expect_same_step(small_mixer(), mesh);
  }
}

TEST(Partition, of_a_translator_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_translator(), mesh);
}

TEST(Partition, of_a_table_that_is_read_twice_computes_what_one_device_does) {
  for (const Mesh& mesh : meshes) expect_same_step(small_llama(true), mesh);
}

TEST(Partition, copies_heads_of_keys_where_there_are_more_devices) {
  expect_same_step(small_llama(), {1, 1, 1, 4});
  expect_same_step(small_llama(), {1, 1, 2, 4});
}

// The devices that have a row send it to all experts, so that as many arrive as are sent.
TEST(Partition, of_experts_among_devices_computes_what_one_does) {
  const Network network = small_mixtral(4);
  for (Mesh mesh : meshes) {
    mesh.expert = 2;
    expect_same_step(network, mesh);
    expect_same_step(small_deepseek(4), mesh);
  }
  expect_same_step(network, {.slices = 1, .data = 1, .fsdp = 1, .tensor = 1, .expert = 4});
}

TEST(Partition, of_the_tokens_of_a_row_computes_what_one_device_does) {
  for (Mesh mesh : meshes) {
    mesh.context = 2;
    expect_same_step(small_attention(), mesh);
  }
  expect_same_step(small_attention(),
                   {.slices = 1, .data = 1, .fsdp = 2, .tensor = 1, .expert = 1, .context = 3});
}

int collectives(const Program& program, CollectiveKind kind, const DeviceSet& among) {
  int calls = 0;
  for (const Kernel& kernel : program.kernels) {
    if (!kernel.collective) continue;
    const auto& work = std::get<CollectiveWork>(kernel.work->items.at(0));
    calls += work.kind == kind && work.among.size == among.size && work.among.apart == among.apart;
  }
  return calls;
}

TEST(Partition, of_columns_before_rows_costs_one_all_reduce_in_each_pass) {
  const Mesh mesh{1, 1, 1, 2};
  const auto calls = [&](const Network& network) {
    return collectives(*traced(network, mesh).program, CollectiveKind::all_reduce,
                       devices_along(MeshAxis::tensor, mesh));
  };
  // The first layer's inputs have no gradient.
  EXPECT_EQ(calls(small_perceptron()), 1);
  EXPECT_EQ(calls(deep_perceptron()), 3);
  // Four in each layer, one for the table, one before the logits, two in their loss.
  EXPECT_EQ(calls(small_gpt()), 2 * 4 + 4);
}

TEST(Partition, sums_the_gradients_of_replicas_in_one_call) {
  const Mesh mesh{2, 4, 1, 1};
  const Traced step = traced(small_gpt(), mesh);
  const auto all_reduce = CollectiveKind::all_reduce;
  EXPECT_EQ(collectives(*step.program, all_reduce, devices_along(MeshAxis::data, mesh)), 1);
  EXPECT_EQ(collectives(*step.program, all_reduce, devices_along(MeshAxis::slices, mesh)), 1);
}

TEST(Partition, gathers_each_shared_weight_once_and_scatters_its_gradient) {
  const Mesh mesh{1, 1, 2, 1};
  const Traced step = traced(small_perceptron(), mesh);
  const DeviceSet among = devices_along(MeshAxis::sharers, mesh);
  EXPECT_EQ(collectives(*step.program, CollectiveKind::all_gather, among), 3);
  EXPECT_EQ(collectives(*step.program, CollectiveKind::reduce_scatter, among), 3);
  EXPECT_EQ(collectives(*step.program, CollectiveKind::all_reduce, among), 1);  // of the biases
}

TEST(Partition, sends_rows_to_experts_and_back_in_both_passes) {
  const Mesh mesh{.slices = 1, .data = 1, .fsdp = 2, .tensor = 1, .expert = 4};
  const Traced step = traced(small_mixtral(), mesh);
  const DeviceSet experts = devices_along(MeshAxis::expert, mesh);
  // Rows there and back, their choices there; of each layer, and backwards without the choices.
  EXPECT_EQ(collectives(*step.program, CollectiveKind::all_to_all, experts), 2 * 5);
  // Gates, ups and downs of an expert are shared beside it alone.
  const DeviceSet beside = devices_along(MeshAxis::beside_experts, mesh);
  EXPECT_EQ(collectives(*step.program, CollectiveKind::all_gather, beside), 2 * 3);
}

TEST(Partition, gathers_keys_and_values_of_shared_rows_and_scatters_their_gradients) {
  const Mesh mesh{.slices = 1, .data = 2, .fsdp = 2, .tensor = 1, .expert = 1, .context = 2};
  const Traced step = traced(small_attention(), mesh);
  const DeviceSet context = devices_along(MeshAxis::context, mesh);
  EXPECT_EQ(collectives(*step.program, CollectiveKind::all_gather, context), 2);
  EXPECT_EQ(collectives(*step.program, CollectiveKind::reduce_scatter, context), 2);
}

TEST(Partition, names_what_a_tensor_group_does_not_divide) {
  const auto refused = [](const Network& network, int tensor) {
    return error_of([&] { traced(network, {1, 1, 1, tensor}); });
  };
  EXPECT_EQ(refused(small_gpt(), 3),
            "a tensor group of 3 does not divide the 4 heads; choose a divisor");
  EXPECT_EQ(refused(small_perceptron(), 3),
            "a tensor group of 3 does not divide the 8 outputs of layer1; choose a divisor");
  EXPECT_EQ(error_of([] {
              traced(small_mixtral(),
                     {.slices = 1, .data = 1, .fsdp = 1, .tensor = 1, .expert = 8});
            }),
            "an expert group of 8 does not divide the 4 of axis 0 of layer1.gate.weight; choose a "
            "divisor");
}

}  // namespace
}  // namespace tpulab::test::partition_test
