// A layer that is traced once and runs several times: what of it lies in memory, and what the
// backward pass makes again.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"
#include "engine/training/gradient.h"

namespace tpulab::regions_test {
namespace {

constexpr std::int64_t runs = 5;
constexpr MatmulOptions exact{.precision = MatmulPrecision::highest};

Tensor mean_of(Tensor y) { return reduce_mean(y, {0, 1}); }

// mean(layers(tanh(x))) of layers tanh(x w), and the gradient of w.
std::shared_ptr<const Program> traced_once(const Keeping& keeping, bool loop,
                                           Tensor (*loss_of)(Tensor) = mean_of) {
  Graph graph;
  const Tensor rows = graph.leaf(0, {{1024, 512}, DType::f32, Placement::per_core});
  const Tensor x = hyperbolic_tangent(rows);
  const Region before = graph.enter_layer(runs);
  const Tensor w = graph.leaf(1, {{512, 512}, DType::f32, Placement::shared});
  const Tensor y = hyperbolic_tangent(matmul(carried(x), w, exact));
  graph.enter(before);
  const Tensor loss = loss_of(y);
  const std::vector<Tensor> with{w};
  const std::vector<NodeId> outputs{loss.id, gradient(loss, with)[0].id};
  return compile(make_cut(graph, outputs, {-1, -1}, "test", 1),
                 {.keeping = keeping, .scheduling = {.stacks = loop}});
}
std::shared_ptr<const Program> traced_once(Remat remat, Tensor (*loss_of)(Tensor) = mean_of) {
  return traced_once({.remat = remat}, false, loss_of);
}
std::int64_t peak_of_loop(const Keeping& keeping) {
  return traced_once(keeping, true)->peak_bytes.value;
}

// Products of each pass, each counted as often as it runs.
std::map<Region::Pass, std::int64_t> products_of(const Program& program) {
  std::map<Region::Pass, std::int64_t> found;
  for (const Kernel& kernel : program.kernels) {
    for (const Work& item : kernel.work->items) {
      if (!std::holds_alternative<MatrixWork>(item)) continue;
      found[program.node(kernel.nodes.front()).region.pass] += kernel.runs;
    }
  }
  return found;
}

TEST(Regions, kernels_of_a_layer_run_as_often_as_it_and_others_once) {
  const auto program = traced_once(Remat::none);
  auto products = products_of(*program);
  EXPECT_EQ(products[Region::Pass::forward], runs);
  EXPECT_EQ(products[Region::Pass::backward], runs);
  EXPECT_TRUE(std::ranges::any_of(program->kernels, [](const Kernel& k) { return k.runs == 1; }));
  for (const Kernel& kernel : program->kernels) {
    for (const NodeId id : kernel.nodes) {
      EXPECT_EQ(program->node(id).region.runs, kernel.runs) << kernel.name;
    }
  }
}

// 2 MiB an activation, 1 MiB a weight: inputs of the runs and what their tanh gave wait for the
// backward pass.
TEST(Regions, weights_exist_once_a_run_and_so_does_what_another_pass_reads) {
  const auto program = traced_once(Remat::none);
  constexpr std::int64_t mib = 1 << 20;
  EXPECT_EQ(program->input_bytes.value, 2 * mib + runs * mib);
  const std::int64_t waiting = program->peak_bytes.value - program->input_bytes.value;
  EXPECT_GE(waiting, 2 * runs * 2 * mib);
  EXPECT_LE(waiting, 2 * runs * 2 * mib + 4 * mib);
}

// relu(x w) of a weight that is rounded, in bf16.
std::shared_ptr<const Program> rounding(bool scanned) {
  Graph graph;
  const Tensor rows = graph.leaf(0, {{1024, 512}, DType::bf16, Placement::per_core});
  const Tensor first = graph.leaf(2, {{512, 512}, DType::bf16, Placement::shared});
  const Tensor x = matmul(rows, first);
  const Region before = graph.enter_layer(runs);
  const Tensor w = graph.leaf(1, {{512, 512}, DType::f32, Placement::shared});
  const Tensor y = relu(matmul(carried(x), convert(w, DType::bf16)));
  graph.enter(before);
  const std::vector<Tensor> with{w, first};
  const std::vector<Tensor> made = gradient(mean_of(y), with);
  return compile(make_cut(graph, {made[0].id, made[1].id}, {-1, -1}, "test", 1),
                 {.again = {.scanned = scanned}, .keeping = {.remat = Remat::full}});
}

// 0.5 MiB a rounded weight, that of each run at once.
TEST(Regions, a_loop_over_layers_finds_its_weights_rounded) {
  constexpr std::int64_t half_mib = 1 << 19;
  EXPECT_EQ((rounding(true)->peak_bytes - rounding(false)->peak_bytes).value, runs * half_mib);
}

TEST(Regions, with_full_rematerialisation_only_inputs_of_layers_wait) {
  const auto kept = traced_once(Remat::none);
  const auto full = traced_once(Remat::full);
  EXPECT_EQ(products_of(*full)[Region::Pass::backward], 2 * runs);
  // The values of all runs but the one at work.
  EXPECT_EQ(kept->peak_bytes.value - full->peak_bytes.value, (runs - 1) * 2 * (1 << 20));
}

// Gradients are 1 MiB a run. Layers that are written out let go one value for each of them.
TEST(Regions, a_loop_has_room_for_all_gradients_beside_all_that_waits_for_them) {
  const std::int64_t written_out = traced_once(Remat::none)->peak_bytes.value;
  EXPECT_EQ(peak_of_loop({.remat = Remat::none}) - written_out, (runs - 1) * (1 << 20));
}

TEST(Regions, a_loop_has_one_of_the_values_that_wait_on_the_host) {
  EXPECT_EQ(peak_of_loop({.remat = Remat::full}) - peak_of_loop({.remat = Remat::offload}),
            (runs - 1) * 2 * (1 << 20));
}

TEST(Regions, what_a_tensor_group_keeps_in_parts_lies_in_a_loop_in_parts_alone) {
  EXPECT_EQ(
      peak_of_loop({.remat = Remat::full}) - peak_of_loop({.remat = Remat::full, .tensor = 2}),
      runs * (1 << 20));
}

// The slope of the squares is cheap and made of the last run's result; made again inside the layer
// it would need every run's.
TEST(Regions, what_the_layers_are_handed_from_behind_them_is_made_once) {
  const auto plain = traced_once(Remat::full);
  const auto squared = traced_once(Remat::full, [](Tensor y) { return mean_of(multiply(y, y)); });
  constexpr std::int64_t array = 2 << 20;
  EXPECT_LE(squared->peak_bytes.value - plain->peak_bytes.value, array);
}

TEST(Regions, with_minimal_rematerialisation_products_with_weights_run_once) {
  const auto minimal = traced_once(Remat::minimal);
  EXPECT_EQ(products_of(*minimal)[Region::Pass::backward], runs);
}

// Layers of three products with weights that two devices share, whose passes both gather them.
std::shared_ptr<const Program> with_gathered_weights() {
  Graph graph;
  const DeviceSet both{2, 1};
  Tensor x = graph.leaf(0, {{1024, 512}, DType::f32, Placement::per_core});
  const Region before = graph.enter_layer(runs);
  x = carried(x);
  std::vector<Tensor> weights;
  for (BufferId id = 1; id <= 3; ++id) {
    weights.push_back(graph.leaf(id, {{256, 512}, DType::f32, Placement::shared}));
    x = hyperbolic_tangent(matmul(x, all_gather(weights.back(), 0, both), exact));
  }
  graph.enter(before);
  const Tensor loss = mean_of(x);
  std::vector<NodeId> outputs{loss.id};
  for (const Tensor& slope : gradient(loss, weights)) outputs.push_back(slope.id);
  return compile(make_cut(graph, outputs, {-1, -1, -1, -1}, "test", 2));
}

// A gathered weight of 1 MiB is read by the product behind it, and by that alone.
TEST(Regions, the_backward_pass_gathers_weights_when_their_turn_comes) {
  const auto program = with_gathered_weights();
  int gathers = 0;
  for (std::size_t k = 0; k < program->kernels.size(); ++k) {
    const Kernel& kernel = program->kernels[k];
    if (kernel.name != "all-gather") continue;
    ++gathers;
    const int last = program->last_use[static_cast<std::size_t>(kernel.nodes.front())];
    EXPECT_EQ(last, static_cast<int>(k) + 1);
  }
  EXPECT_EQ(gathers, 3 + 2);  // the rows need no gradient
}

}  // namespace
}  // namespace tpulab::regions_test
