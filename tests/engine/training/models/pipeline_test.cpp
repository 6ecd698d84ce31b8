// A pipeline: what one stage does, and when it has nothing to do.
#include "engine/training/models/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/forecast/resolved_step.h"
#include "engine/machine/price.h"
#include "engine/training/workload.h"
#include "tests/engine/forecast/steady_step.h"
#include "tests/engine/ops/check_op.h"

namespace tpulab::pipeline_test {
namespace {

constexpr std::int64_t rows = 8;
constexpr int stages = 4;
constexpr int microbatches = 8;
constexpr std::int64_t tokens = 128;
constexpr std::int64_t layers = 32;
constexpr std::int64_t width = 4096;

Mesh pipeline(int parts = microbatches) {
  Mesh mesh = one_device;
  mesh.pipeline = stages;
  mesh.microbatches = parts;
  return mesh;
}

StepWork step_of(const Mesh& mesh, Remat remat = Remat::none, std::int64_t batch = rows) {
  return step_work(workload_named("llama2-7b"),
                   {.batch = batch, .sequence = tokens, .mesh = mesh, .remat = remat});
}

Block block_of(const StepWork& step, std::string_view name) {
  const auto found = std::ranges::find(step.blocks, name, &Block::name);
  expects(found != step.blocks.end(), "a block of that name");
  return *found;
}

TEST(Pipeline, a_stage_runs_its_layers_for_each_microbatch_and_stands_still_for_the_others) {
  const Block layer = block_of(step_of(pipeline()), "layer");
  EXPECT_EQ(layer.repeats, layers / stages);
  // The last microbatch leaves the last stage three turns behind the eighth.
  EXPECT_EQ(layer.turns, microbatches + stages - 1);
  EXPECT_EQ(layer.useful, microbatches);
}

TEST(Pipeline, stages_share_all_operations_and_all_parameters) {
  const StepWork one = step_of(one_device);
  const StepWork stage = step_of(pipeline());
  EXPECT_EQ(stage.parameters(), one.parameters());
  EXPECT_EQ(stages * stage.forward_flops().value, one.forward_flops().value);
}

TEST(Pipeline, a_stage_holds_its_layers_and_what_lies_outside_of_them) {
  const StepWork stage = step_of(pipeline());
  const std::int64_t outside = 2 * 32000 * width + width;
  const std::int64_t all = step_of(one_device).parameters();
  EXPECT_EQ(stage.weights.value, 4 * (outside + (all - outside) / stages));
}

TEST(Pipeline, a_stage_sends_what_it_has_made_and_passes_a_microbatch_on_in_each_turn) {
  const StepWork stage = step_of(pipeline());
  const Block between = block_of(stage, "between stages");
  EXPECT_EQ(between.turns, microbatches + stages - 1);
  for (const auto* pass : {&between.forward, &between.backward}) {
    EXPECT_EQ(pass->size(), 2U);
    for (const NamedKernel& kernel : *pass) {
      const auto& sent = std::get<CollectiveWork>(kernel.work->items.at(0));
      EXPECT_EQ(sent.kind, CollectiveKind::permute);
      EXPECT_EQ(sent.bytes.value, rows / microbatches * tokens * width * 2);
      EXPECT_EQ(sent.among.size, stages);
    }
  }
}

// Of runs of a layer eight of eleven have rows.
TEST(Pipeline, the_share_of_its_bubble_is_the_published_one) {
  std::int64_t runs = 0;
  for (const StepKernel& one : step_kernels(step_of(pipeline()), pipeline())) {
    if (one.kernel.part == "layer.attention.query" && one.pass == Pass::forward) {
      runs += one.kernel.runs;
    }
  }
  EXPECT_EQ(runs * microbatches, layers / stages * microbatches * (microbatches + stages - 1));
  // (p - 1) / (m + p - 1) [arXiv 1811.06965].
  const double bubble =
      1 - static_cast<double>(layers / stages * microbatches) / static_cast<double>(runs);
  EXPECT_NEAR(bubble, (stages - 1.0) / (microbatches + stages - 1), 1e-12);
}

// All-reduces of f32 gradients, and how often each runs in a step.
std::vector<StepKernel> sums_among(const Mesh& mesh, std::int64_t apart) {
  std::vector<StepKernel> sums;
  for (StepKernel& one : step_kernels(step_of(mesh), mesh)) {
    const CollectiveWork* const sent = collective_of(one.kernel.work);
    const bool sum = sent != nullptr && sent->kind == CollectiveKind::all_reduce;
    if (sum && sent->among.apart == apart && sent->bytes.value > 1 << 20) {
      sums.push_back(std::move(one));
    }
  }
  return sums;
}

std::int64_t bytes_sent(const std::vector<StepKernel>& sums) {
  std::int64_t bytes = 0;
  for (const StepKernel& one : sums) {
    bytes += one.kernel.runs * collective_of(one.kernel.work)->bytes.value;
  }
  return bytes;
}

// [TPU compiler: the all-reduce of a scan over microbatches stands behind the loop, in f32.]
TEST(Pipeline, replicas_sum_all_gradients_of_a_stage_once_whatever_the_microbatches) {
  for (const int parts : {4, 8}) {
    Mesh mesh = pipeline(parts);
    mesh.data = 2;
    const auto weights = static_cast<double>(step_of(mesh).weights.value);
    const auto sent = static_cast<double>(bytes_sent(sums_among(mesh, 1)));
    EXPECT_NEAR(sent / weights, 1, 0.001) << parts;
  }
}

TEST(Pipeline, slices_sum_gradients_of_sharers_once_and_in_f32) {
  for (const int parts : {4, 8}) {
    Mesh mesh = pipeline(parts);
    mesh.fsdp = 2;
    mesh.slices = 2;
    const auto weights = static_cast<double>(step_of(mesh).weights.value);
    const auto sent = static_cast<double>(bytes_sent(sums_among(mesh, mesh.inside())));
    EXPECT_NEAR(sent / weights / mesh.fsdp, 1, 0.001) << parts;
  }
}

TEST(Pipeline, a_stage_keeps_layers_inputs_of_all_microbatches_that_are_under_way) {
  const std::int64_t input = rows / microbatches * tokens * width * 2;
  const auto working = [](int parts) {
    Mesh mesh = pipeline(parts);
    return step_work(workload_named("llama2-7b"),
                     {.batch = parts, .sequence = tokens, .mesh = mesh, .remat = Remat::full})
        .working.value;
  };
  // Sixteen more rows, one a microbatch: so many more inputs of each of its layers.
  EXPECT_NEAR(static_cast<double>(working(24) - working(8)), 16.0 * (layers / stages) * input,
              0.02 * 16 * (layers / stages) * input);
}

// As many layers in all, half of them a stage and twice as many turns under way.
TEST(Pipeline, a_stage_of_one_layer_keeps_what_its_policy_keeps) {
  const auto working = [](int parts, Remat remat) {
    const Mesh mesh{
        .slices = 1, .data = 1, .fsdp = 1, .tensor = 1, .pipeline = parts, .microbatches = parts};
    const StepWork stage =
        step_work(workload_named("llama2-7b"),
                  {.batch = parts, .sequence = tokens, .mesh = mesh, .remat = remat});
    return static_cast<double>(stage.working.value);
  };
  for (const Remat remat : {Remat::none, Remat::minimal, Remat::full}) {
    EXPECT_NEAR(working(32, remat) / working(16, remat), 1, 0.3)
        << remat_names[static_cast<std::size_t>(remat)];
  }
  EXPECT_GT(working(32, Remat::none), 1.4 * working(32, Remat::full));
}

struct Seconds {
  double layers = 0;   // of all of them
  double outside = 0;  // of what lies before and behind them
};

// Kernels of one microbatch that two replicas run without a pipeline, updates left out.
Seconds unpipelined(Pass pass, const Machine& machine) {
  const Mesh replicas{.slices = 1, .data = 2, .fsdp = 1, .tensor = 1};
  Seconds sum;
  for (const StepKernel& one : step_kernels(step_of(replicas, Remat::full, 1), replicas)) {
    if (one.pass != pass || one.kernel.collective) continue;
    const double all =
        in_seconds(price(one.kernel.work, machine).time) * static_cast<double>(one.kernel.runs);
    (one.kernel.runs == layers ? sum.layers : sum.outside) += all;
  }
  return sum;
}

// Of all runs of its kernels of that pass, each by itself.
double seconds_of(const ResolvedStep& step, Pass pass, const Machine& machine) {
  double sum = 0;
  for (const StepKernel& one : step.kernels) {
    if (one.pass != pass) continue;
    sum += in_seconds(price(one.kernel.work, machine).time) * static_cast<double>(one.kernel.runs);
  }
  return sum;
}

// (microbatches + stages - 1) times what the layers of a stage take, which are alike; what lies
// outside of layers for the rows of a stage alone.
double by_hand(const Seconds& of_one) {
  return (microbatches + stages - 1) * of_one.layers / stages +
         static_cast<double>(microbatches) / stages * of_one.outside;
}

TEST(Pipeline, takes_the_turns_of_its_slowest_stage_and_what_these_send) {
  const ForecastRequest request{.model = "llama2-7b",
                                .slice = "v5p-8",
                                .batch = rows,
                                .sequence = tokens,
                                .mesh = pipeline(),
                                .remat = Remat::full};
  const Machine machine = machine_of(request);
  const Generation& chip = machine.generation();
  const ResolvedStep step = resolved_step(request, machine);
  const double forward = by_hand(unpipelined(Pass::forward, machine));
  EXPECT_NEAR(seconds_of(step, Pass::forward, machine), forward, 1e-6 * forward);
  // Gradients of each turn are added to those before: two read, one written, in f32.
  const double held = 32000.0 * width * 2 + width;  // of no layer
  const double of_layers = (6738415616.0 - held) / stages;
  const double sums = 3 * 4 *
                      ((microbatches + stages - 1) * of_layers + held * microbatches / stages) /
                      (chip.hbm_bytes_per_second * chip.hbm_efficiency);
  const double backward = by_hand(unpipelined(Pass::backward, machine)) + sums;
  EXPECT_NEAR(seconds_of(step, Pass::backward, machine), backward, 2e-3 * backward);
  const double start = chip.kernel_seconds + chip.collective_seconds;
  const double link = chip.link_bytes_per_second * chip.link_efficiency;
  const double send = 1.0 * tokens * width * 2 / link + start + chip.hop_seconds;
  // Over the two links of a chip on the square of four, there and back again.
  const double reduce = 2 * 0.75 * 4 * held / (2 * link) + start + 2 * 2 * chip.hop_seconds;
  const double sends = 2 * 2 * (microbatches + stages - 1) * send + reduce;
  const double sent = seconds_of(step, Pass::exchange, machine) +
                      seconds_of(step, Pass::turned, machine) +
                      seconds_of(step, Pass::reduce, machine);
  EXPECT_NEAR(sent, sends, 1e-6 * sends);
}

// A layer of Llama 3 has 218,112,000 numbers, embeddings and head have 2 x 128,256 x 4,096.
TEST(Pipeline, shares_most_of_a_stage_where_that_is_not_layers) {
  Mesh mesh = pipeline(32);
  mesh.data = 0;
  mesh.fsdp = 2;
  mesh.pipeline = 32;
  const ForecastRequest request{
      .model = "llama3-8b", .slice = "v6e-64", .batch = 512, .mesh = mesh, .remat = Remat::full};
  const ResolvedStep step = resolved_step(request, machine_of(request));
  const double half = 4 * (218'112'000 + 2.0 * 128'256 * 4'096) / 2;
  EXPECT_NEAR(static_cast<double>(step.work.weights.value), half, 1e-3 * half);
}

std::string refused(const std::string& model, Mesh mesh, std::int64_t batch = 8) {
  ForecastRequest request{.model = model, .slice = "v5p-16", .batch = batch};
  mesh.slices = mesh.data = mesh.fsdp = mesh.tensor = 0;
  request.mesh = mesh;
  return test::error_of([&] { resolved_step(request, machine_of(request)); });
}

TEST(Pipeline, says_which_number_does_not_divide) {
  EXPECT_EQ(refused("lm-32b", pipeline(6)),
            "microbatches=6 are no multiple of pipeline=4, whose stages share what lies outside of "
            "layers; choose microbatches=8");
  EXPECT_EQ(
      refused("lm-32b", pipeline(8), 12),
      "microbatches=8 do not divide the 6 rows that the 4 devices of a pipeline have together; "
      "choose a divisor or another batch, or drop_last on where an epoch ends with them");
  EXPECT_EQ(refused("gemma2-2b", pipeline(), 64),
            "pipeline=4 does not divide 13 equal layers; choose a divisor");
  EXPECT_EQ(refused("gemma2-2b", pipeline(8), 12),
            "pipeline=4 does not divide 13 equal layers; choose a divisor");
  EXPECT_EQ(refused("resnet50", pipeline(), 64),
            "a pipeline divides one stack of equal layers, and there are 0; leave pipeline out of "
            "the mesh");
  EXPECT_EQ(refused("gemm-128x128x128", pipeline()),
            "gemm-128x128x128 has no equal layers that pipeline=4 could divide; leave it out of "
            "the mesh");
  Mesh no_stages = pipeline();
  no_stages.pipeline = 1;
  EXPECT_EQ(refused("lm-32b", no_stages),
            "microbatches follow each other through stages; write pipeline=... beside them");
}

// On the same eight devices: more microbatches, less bubble.
TEST(Pipeline, more_microbatches_take_less_time) {
  const auto seconds = [](int parts) {
    ForecastRequest request{.model = "llama2-7b", .slice = "v5p-16", .batch = 64};
    request.mesh = {.pipeline = stages, .microbatches = parts};
    request.remat = Remat::full;
    return test::steady_seconds(request);
  };
  EXPECT_LT(seconds(16), seconds(8));
  EXPECT_LT(seconds(8), seconds(4));
}

}  // namespace
}  // namespace tpulab::pipeline_test
