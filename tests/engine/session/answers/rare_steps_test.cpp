// Steps of several kinds: each weighs as often as it comes, in all that is told of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/machine/price.h"
#include "engine/session/answers/advise.h"
#include "engine/session/answers/estimate.h"
#include "engine/session/settings/plan.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::rare_steps_test {
namespace {

// 40 steps are over before a loader that is too slow has used up what it had ready.
TEST(RareSteps, of_a_short_run_live_on_what_its_loader_had_ready) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "vit-b16"},
                                               {"batch", "32"},
                                               {"slice", "v4-16"},
                                               {"stack", "jax"},
                                               {"precision", "bf16-mixed"},
                                               {"max_steps", "40"},
                                               {"loader_workers", "2"},
                                               {"loader_prefetch", "8"},
                                               {"loader_row_us", "2000"}});
  const Estimate told = estimate(settings);
  EXPECT_EQ(told.bound, "matrix units");
  Settings faster = settings;
  change(faster, "loader_row_us", "1");
  EXPECT_NEAR(in_seconds(estimate(faster).step) / in_seconds(told.step), 1, 1e-3);
  change(settings, "max_steps", "400");
  EXPECT_EQ(estimate(settings).bound, "loader");
}

// Compiles that a run begins with are in what a forecast keeps of it, and long gone in a run.
TEST(RareSteps, that_compile_first_weigh_nothing_in_what_binds) {
  Settings settings;
  change_all(settings,
             std::vector<Assignment>{{"model", "vit-s16"}, {"batch", "48"}, {"numbers", "off"}});
  const Estimate told = estimate(settings);
  Engine engine;
  test::run_to_end(engine, settings);
  const Binding bound = engine.latest()->run.bound;
  EXPECT_EQ(told.bound, bound.name);
  EXPECT_NEAR(1 - in_seconds(told.next_bound_step) / in_seconds(told.step), bound.saves, 0.002);
}

// One step in forty waits for a checkpoint of many seconds, among steps that compile: what that is
// worth is what the run is without it.
TEST(RareSteps, that_read_weigh_in_what_binds) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "bert-large"},
                                               {"optimizer", "sgd"},
                                               {"slice", "v2-8"},
                                               {"host", "colab-node-2021"},
                                               {"host_cpus", "96"},
                                               {"loader_workers", "4"},
                                               {"batch", "4"},
                                               {"limit_val_batches", "0"},
                                               {"num_sanity_val_steps", "0"},
                                               {"precision", "bf16-true"},
                                               {"log_every_n_steps", "1000"},
                                               {"max_steps", "160"},
                                               {"shapes", "bucketed"},
                                               {"save_every_n_steps", "40"}});
  const Estimate told = estimate(settings);
  change(settings, "save_every_n_steps", "0");
  const Picoseconds without = estimate(settings).step;
  EXPECT_EQ(told.bound, "read-backs");
  EXPECT_NEAR(in_seconds(told.next_bound_step) / in_seconds(without), 1, 0.005);
}

// A loss that every other step reads is a program of its own: it sends what the forward pass does.
TEST(RareSteps, that_read_weigh_in_what_is_sent) {
  const auto told = [](const char* every) {
    Settings settings;
    change_all(settings, std::vector<Assignment>{{"model", "llama3-8b"},
                                                 {"slice", "v6e-16"},
                                                 {"batch", "1"},
                                                 {"stack", "pytorch-xla"},
                                                 {"precision", "bf16-true"},
                                                 {"remat", "full"},
                                                 {"max_steps", "60"},
                                                 {"item_every_n_steps", every}});
    const Estimate answer = estimate(settings);
    EXPECT_TRUE(answer.hidden.empty() || answer.hidden.front().name != "collectives");
    return in_seconds(
        std::ranges::find(answer.terms, "collective transfer", &PhaseTime::name)->time);
  };
  EXPECT_GT(told("2"), 1.2 * told("0"));
}

// Weights and momentum of ResNet-50 behind each epoch of six steps, before an evaluation: two of
// the 60 steps compile, the others bear ten saves.
TEST(RareSteps, that_save_at_an_epoch_s_end_cost_their_time) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "resnet50"},
                                               {"slice", "v5e-8"},
                                               {"limit_train_batches", "6"},
                                               {"max_steps", "60"}});
  const Picoseconds without = estimate(settings).step;
  change(settings, "save_every_n_steps", "6");
  const Picoseconds with = estimate(settings).step;
  constexpr std::int64_t parameters = 25'557'032;  // torchvision's
  const double sent =
      in_seconds(host_transfer_time(Bytes{2 * 4 * parameters}, machine_for(settings)));
  EXPECT_NEAR((in_seconds(with) - in_seconds(without)) * 58 / 10 / sent, 1, 0.01);
}

// Ten more validations cost a run what they are told to take.
TEST(RareSteps, that_validate_are_told_as_a_part_of_the_run) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "resnet50"},
                                               {"slice", "v3-8"},
                                               {"stack", "jax"},
                                               {"precision", "bf16-mixed"},
                                               {"batch", "128"},
                                               {"max_epochs", "2"},
                                               {"limit_train_batches", "100"},
                                               {"val_check_interval", "20"}});
  const Estimate some = estimate(settings);
  change(settings, "val_check_interval", "10");
  const Estimate more = estimate(settings);
  ASSERT_TRUE(some.run && more.run);
  EXPECT_EQ(some.run->evaluations.count, 10);
  EXPECT_EQ(more.run->evaluations.count, 20);
  EXPECT_NEAR((more.run->evaluations.seconds - some.run->evaluations.seconds) /
                  in_seconds(more.run->time - some.run->time),
              1, 0.02);
}

// 190 steps save once, behind the hundredth: not in the newest 64, but in the mean step.
TEST(RareSteps, that_save_are_evidence_of_advice) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"model", "bert-large"},
                                               {"slice", "v3-8"},
                                               {"batch", "8"},
                                               {"stack", "jax"},
                                               {"precision", "bf16-mixed"},
                                               {"host", "colab-node-2021"},
                                               {"save_every_n_steps", "100"},
                                               {"max_steps", "190"},
                                               {"numbers", "off"}});
  const Advice advice = advise(settings, std::nullopt, {});
  ASSERT_FALSE(advice.remedies.empty());
  EXPECT_EQ(advice.remedies.front().cause->name, "checkpoints");
  EXPECT_EQ(advice.remedies.front().change.value, "400");
  EXPECT_GT(advice.remedies.front().gain.steady, 0.1);
}

// Lightning compares the lengths of what it validates although it validates nothing.
TEST(RareSteps, are_no_validations_where_no_row_is_validated) {
  const auto validations = [](const char* limit, const char* sanity) {
    Settings settings;
    change_all(settings, std::vector<Assignment>{{"max_epochs", "2"},
                                                 {"limit_val_batches", limit},
                                                 {"num_sanity_val_steps", sanity}});
    return estimate(settings).run->evaluations.count;
  };
  EXPECT_EQ(validations("0", "2"), 0);
  EXPECT_EQ(validations("1.0", "0"), 2);
  EXPECT_EQ(validations("1.0", "2"), 3);
}

}  // namespace
}  // namespace tpulab::rare_steps_test
