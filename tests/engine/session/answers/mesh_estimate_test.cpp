// What devices that divide rows, weights or the memory of their hosts are told.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/answers/estimate.h"

namespace tpulab::mesh_estimate_test {
namespace {

using Changes = std::vector<Assignment>;

Estimate with(Changes changes, const Changes& more = {}) {
  changes.insert(changes.end(), more.begin(), more.end());
  Settings settings;
  change_all(settings, changes);
  return estimate(settings);
}

Picoseconds term_of(const Estimate& told, std::string_view name) {
  const auto found = std::ranges::find(told.terms, name, &PhaseTime::name);
  return found == told.terms.end() ? Picoseconds{} : found->time;
}

Picoseconds hidden_in(const Estimate& told, std::string_view name) {
  const auto found = std::ranges::find(told.hidden, name, &PhaseTime::name);
  return found == told.hidden.end() ? Picoseconds{} : found->time;
}

// MFU counts the model's own operations: of a sample they are the same on any mesh, though devices
// of a tensor group do some of them several times.
TEST(Estimate, utilisation_of_a_model_counts_no_work_that_devices_repeat) {
  const auto of_a_sample = [](const Changes& model, const char* mesh) {
    const Estimate told =
        with(model, {{"stack", "jax"}, {"precision", "bf16-mixed"}, {"mesh", mesh}});
    return told.mfu / told.samples_per_second;
  };
  const Changes gnmt{{"model", "gnmt"}, {"slice", "v5p-64"}, {"batch", "2"}};
  EXPECT_NEAR(of_a_sample(gnmt, "tensor=32") / of_a_sample(gnmt, "data=32"), 1, 1e-3);
  const Changes llama{
      {"model", "llama3-8b"}, {"slice", "v5p-64"}, {"batch", "1"}, {"remat", "full"}};
  EXPECT_NEAR(of_a_sample(llama, "tensor=16") / of_a_sample(llama, "fsdp=32"), 1, 1e-3);
}

TEST(Estimate, counts_the_operations_of_a_chip_whose_one_core_works_once) {
  const Estimate told = with({{"model", "resnet50"},
                              {"stack", "jax"},
                              {"precision", "bf16-mixed"},
                              {"batch", "128"},
                              {"devices", "1"}});
  // 3 x 2 x 4.09 billion multiplications an image.
  EXPECT_NEAR(told.tflops_per_chip, told.samples_per_second * 24.5e9 / 1e12, 0.5);
}

const Changes offloading{{"model", "llama3-70b"},     {"stack", "jax"},
                         {"precision", "bf16-mixed"}, {"batch", "1"},
                         {"slice", "v6e-64"},         {"remat", "minimal-offload"}};

// Activations are sent while the forward pass makes them and taken back while the backward pass
// runs: none of a step moves before it begins, and a pass is no shorter than its half of them.
TEST(Estimate, activations_go_to_the_host_beside_the_pass_that_makes_them) {
  const Estimate told = with(offloading);
  const Estimate one = with(offloading, {{"max_steps", "1"}});
  ASSERT_TRUE(one.run);
  const Picoseconds steps = one.run->time - one.compile;
  EXPECT_LT(in_seconds(steps), 1.05 * in_seconds(told.step));
  const Picoseconds beside = hidden_in(told, "offloaded arrays");
  EXPECT_GT(beside, Picoseconds{});
  EXPECT_LT(hidden_in(told, "input"), beside / 100);
  const Picoseconds waits = term_of(told, "offload");
  EXPECT_GT(waits, Picoseconds{}) << "the forward pass is shorter than what it sends";
  // The program is on the devices meanwhile.
  EXPECT_NEAR(told.duty_cycle, 1, 0.01);
  // A third of the step makes them: the way out waits for what is longer than that, and the way
  // back, as long, finds the longer pass and waits for nothing.
  const Picoseconds one_way = (beside + waits) / 2;
  const Picoseconds works = told.step - waits;
  EXPECT_NEAR(in_seconds(waits), in_seconds(one_way) - in_seconds(works) / 3,
              0.1 * in_seconds(one_way));
}

// Each batch that a step sums is a program of its own.
TEST(Estimate, tells_beside_a_step_what_each_of_its_batches_exchanges) {
  const Changes one{{"model", "gpt3-175b"},
                    {"slice", "v5p-256"},
                    {"precision", "bf16-true"},
                    {"batch", "1"},
                    {"remat", "offload"}};
  const Estimate summed = with(one, {{"accumulate_grad_batches", "4"}});
  for (const char* name : {"collectives", "offloaded arrays"}) {
    const double single = in_seconds(hidden_in(with(one), name));
    EXPECT_NEAR(in_seconds(hidden_in(summed, name)), 4 * single, 0.05 * single) << name;
  }
}

// Also where most is there as gradients are made: sums of the batches before lie beside these.
TEST(Estimate, sums_of_gradients_lie_beside_what_each_batch_makes) {
  for (const char* stack : {"jax", "pytorch-xla"}) {
    const Changes one{{"model", "mixtral-8x7b"}, {"slice", "v5p-64"}, {"mesh", "fsdp=32"},
                      {"stack", stack},          {"batch", "1"},      {"remat", "full"},
                      {"sequence", "4096"}};
    const auto more = (with(one, {{"accumulate_grad_batches", "2"}}).hbm_used - with(one).hbm_used);
    const double weights = 46.7e9 * 4 / 32;
    EXPECT_GT(static_cast<double>(more.value), 0.75 * weights) << stack;
    EXPECT_LT(static_cast<double>(more.value), 1.25 * weights) << stack;
  }
}

// Each layer has weights and gradients of its own, in a network that is traced as one layer 24
// times: 302 million parameters are read, their gradients are written, f32, none of it in CMEM.
TEST(Estimate, weights_of_layers_that_run_repeatedly_do_not_stay_on_the_chip) {
  const Estimate told = with({{"model", "vit-l16"}, {"slice", "v4-8"}, {"batch", "1"}});
  const Estimate other = with({{"model", "vit-l16"}, {"slice", "v5p-8"}, {"batch", "1"}});
  // v5p has 2.3 times the bandwidth of v4, and holds nothing between kernels.
  EXPECT_GT(in_seconds(term_of(told, "HBM-bound")), 1.5 * in_seconds(term_of(other, "HBM-bound")));
}

// Rates of BERT on v4, whose memory of a chip holds some rows' scores and not those of more.
TEST(Estimate, more_rows_lose_little_where_arrays_leave_the_chip) {
  double before = 0;
  for (const char* rows : {"4", "6", "8", "9", "10", "12", "14", "16", "20", "24", "32"}) {
    const double rate = with({{"model", "bert-large"},
                              {"slice", "v4-8"},
                              {"stack", "jax"},
                              {"precision", "bf16-mixed"},
                              {"batch", rows}})
                            .samples_per_second;
    EXPECT_GT(rate, 0.95 * before) << rows;
    before = rate;
  }
}

}  // namespace
}  // namespace tpulab::mesh_estimate_test
