#include "engine/session/answers/advise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/base/error.h"
#include "engine/session/answers/estimate.h"
#include "tests/engine/session/run_to_end.h"

namespace tpulab::advise_test {
namespace {

Settings with(std::vector<Assignment> changes) {
  Settings settings;
  settings.max_epochs = 4;
  change_all(settings, changes);
  return settings;
}

Settings resnet(std::vector<Assignment> changes = {}) {
  Settings settings = with(
      {{"model", "resnet50"}, {"numbers", "off"}, {"batch", "128"}, {"precision", "bf16-true"}});
  settings.max_steps = 60;
  change_all(settings, changes);
  return settings;
}

std::string first(const Settings& settings) {
  const Advice advice = advise(settings, std::nullopt, {});
  return advice.remedies.empty() ? "" : std::string(advice.remedies.front().cause->name);
}

TEST(Advise, names_the_fault_first_on_the_network_that_is_trained) {
  EXPECT_EQ(first(with({{"item_every_n_steps", "1"}})), "item");
  EXPECT_EQ(first(with({{"log_every_n_steps", "1"}})), "logging");
  EXPECT_EQ(first(with({{"progress_bar", "on"}})), "progress_bar");
  EXPECT_EQ(first(with({{"class_weights", "on"}})), "fallback");
  EXPECT_EQ(first(with({{"cpu_constant", "on"}})), "cpu_constant");
  EXPECT_EQ(first(with({{"shapes", "random"}})), "recompiles");
  EXPECT_EQ(first(with({{"loop_turns", "32"}, {"max_epochs", "40"}})), "recompiles");
  EXPECT_EQ(first(with({{"devices", "1"}})), "unused_devices");
  EXPECT_EQ(first(with({{"straggler", "host:0:1.4"}})), "straggler");
  EXPECT_EQ(first(with({{"host", "colab-node-2021"}})), "slow_host");
  EXPECT_EQ(first(with({{"batch", "4"}})), "small_batch");
}

TEST(Advise, names_the_fault_first_on_a_network_of_which_the_time_is_known) {
  EXPECT_EQ(first(resnet({{"item_every_n_steps", "1"}})), "item");
  EXPECT_EQ(first(resnet({{"progress_bar", "on"}})), "progress_bar");
  EXPECT_EQ(first(resnet({{"shapes", "random"}})), "recompiles");
  EXPECT_EQ(first(resnet({{"loop_turns", "32"}})), "recompiles");
  EXPECT_EQ(first(resnet({{"fallback_op", "histc"}})), "fallback");
  EXPECT_EQ(first(resnet({{"loader_row_us", "9000"}, {"loader_workers", "1"}})), "slow_loader");
  EXPECT_EQ(first(resnet({{"loader_row_us", "1000"}, {"host_cpus", "4"}})), "slow_loader");
  EXPECT_EQ(first(resnet({{"straggler", "core:3:1.5"}})), "straggler");
  EXPECT_EQ(first(resnet({{"straggler", "link:2:80"}})), "straggler");
  EXPECT_EQ(first(resnet({{"host", "colab-node-2021"}})), "slow_host");
  EXPECT_EQ(first(resnet({{"devices", "1"}})), "unused_devices");
  EXPECT_EQ(first(resnet({{"batch", "4"}})), "small_batch");
  EXPECT_EQ(first(resnet({{"precision", "32-true"}})), "wide_storage");
  EXPECT_EQ(first(resnet({{"precision", "32-true"}, {"matmul.precision", "highest"}})),
            "matmul_passes");
}

// Fully sharded, each device gathers all 256 experts of a layer; divided, it has sixteen and their
// rows come to it.
TEST(Advise, divides_experts_where_their_weights_take_the_links) {
  const auto sharded = [](const char* model, const char* slice) {
    Settings settings;
    settings.max_steps = 20;
    change_all(settings, std::vector<Assignment>{{"stack", "jax"},
                                                 {"slice", slice},
                                                 {"batch", "1"},
                                                 {"model", model},
                                                 {"precision", "bf16-mixed"},
                                                 {"remat", "full"},
                                                 {"numbers", "off"}});
    return advise(settings, std::nullopt, {});
  };
  const Advice advice = sharded("deepseek-v3", "v5p-2048");
  const auto found = std::ranges::find_if(
      advice.remedies, [](const Remedy& one) { return one.cause->name == "exchanges"; });
  ASSERT_NE(found, advice.remedies.end());
  EXPECT_TRUE(found->change.value.starts_with("expert=")) << found->change.value;
  EXPECT_GT(found->gain.steady, 0.3);
  EXPECT_NEAR(tried_run(found->settings, {}).trial.steady_rate / found->then.steady_rate, 1, 1e-9);
  for (const Remedy& one : sharded("llama3-8b", "v6e-256").remedies) {
    EXPECT_NE(one.cause->name, "exchanges");
  }
}

bool names(const Settings& settings, std::string_view cause) {
  const Advice advice = advise(settings, std::nullopt, {});
  return std::ranges::any_of(advice.remedies,
                             [&](const Remedy& one) { return one.cause->name == cause; });
}

Settings on_jax(const std::vector<Assignment>& changes) {
  Settings settings;
  settings.max_steps = 20;
  change_all(settings, std::vector<Assignment>{
                           {"stack", "jax"}, {"batch", "1"}, {"precision", "bf16-mixed"}});
  change_all(settings, changes);
  change(settings, "numbers", "off");
  return settings;
}

TEST(Advise, keeps_of_the_forward_pass_what_hbm_has_room_for) {
  for (const char* remat : {"full", "offload"}) {
    const Settings settings =
        on_jax({{"model", "llama3-8b"}, {"slice", "v5p-64"}, {"remat", remat}});
    const Advice advice = advise(settings, std::nullopt, {});
    const auto found = std::ranges::find_if(
        advice.remedies, [](const Remedy& one) { return one.cause->name == "rematerialised"; });
    ASSERT_NE(found, advice.remedies.end()) << remat;
    EXPECT_FALSE(names(found->settings, "rematerialised"));
  }
}

// Four devices share a row of 32,768 tokens: by heads, as the open mesh has it, or by tokens.
TEST(Advise, divides_tokens_of_long_rows_where_heads_exchange_more) {
  const Settings settings = on_jax({{"model", "gemma3-12b"},
                                    {"slice", "v6e-256"},
                                    {"sequence", "32768"},
                                    {"batch", "1/4"},
                                    {"remat", "full"}});
  const Advice advice = advise(settings, std::nullopt, {});
  ASSERT_FALSE(advice.remedies.empty());
  EXPECT_EQ(advice.remedies.front().cause->name, "exchanges");
  EXPECT_EQ(advice.remedies.front().change.value, "context=4");
  EXPECT_GT(advice.remedies.front().gain.steady, 0.3);
}

// Small batches: each device changes all weights, 32 times the same work.
TEST(Advise, shares_weights_where_every_device_updates_all_of_them) {
  const Settings settings = on_jax(
      {{"model", "stable-diffusion-2"}, {"slice", "v4-64"}, {"batch", "2"}, {"remat", "none"}});
  const Advice advice = advise(settings, std::nullopt, {});
  const auto found = std::ranges::find_if(
      advice.remedies, [](const Remedy& one) { return one.cause->name == "exchanges"; });
  ASSERT_NE(found, advice.remedies.end());
  EXPECT_EQ(found->change.value, "fsdp=32");
  EXPECT_GT(found->gain.steady, 0.2);
}

TEST(Advise, sends_what_products_made_to_the_host_where_hbm_has_no_room) {
  const Settings settings =
      on_jax({{"model", "llama2-70b"}, {"slice", "v4-256"}, {"remat", "full"}});
  const Advice advice = advise(settings, std::nullopt, {});
  ASSERT_FALSE(advice.remedies.empty());
  EXPECT_EQ(advice.remedies.front().change.value, "minimal-offload");
}

TEST(Advise, saves_less_often_where_steps_wait_for_checkpoints) {
  const auto saving = [](const char* every) {
    return on_jax({{"model", "llama3-8b"},
                   {"slice", "v5p-16"},
                   {"remat", "full"},
                   {"save_every_n_steps", every}});
  };
  const Advice advice = advise(saving("5"), std::nullopt, {});
  ASSERT_FALSE(advice.remedies.empty());
  EXPECT_EQ(advice.remedies.front().cause->name, "checkpoints");
  EXPECT_EQ(advice.remedies.front().change.value, "20");
  EXPECT_FALSE(names(saving("500"), "checkpoints"));
}

TEST(Advise, leaves_a_pipeline_whose_stages_have_no_rows) {
  const Settings settings = on_jax({{"model", "llama2-7b"},
                                    {"slice", "v5p-128"},
                                    {"remat", "full"},
                                    {"mesh", "pipeline=8/microbatches=8"}});
  const Advice advice = advise(settings, std::nullopt, {});
  ASSERT_FALSE(advice.remedies.empty());
  EXPECT_EQ(advice.remedies.front().cause->name, "bubble");
  // 7 of 15 turns.
  EXPECT_GT(advice.remedies.front().gain.steady, 0.5);
}

TEST(Advise, says_what_a_slice_that_was_taken_back_costs) {
  const Settings lost = resnet({{"preempt", "host@50"}});
  EXPECT_TRUE(names(lost, "preempted"));
  EXPECT_FALSE(names(resnet(), "preempted"));
  EXPECT_FALSE(names(resnet({{"preempt", "host@50"}, {"save_every_n_steps", "10"}}), "preempted"));
}

TEST(Advise, makes_no_run_longer_that_is_taken_back) {
  for (const std::string every : {"40", "400"}) {
    const Settings lost = resnet({{"model", "bert-large"},
                                  {"stack", "jax"},
                                  {"batch", "8"},
                                  {"precision", "32-true"},
                                  {"max_steps", "500"},
                                  {"preempt", "host@399"},
                                  {"save_every_n_steps", every}});
    const Advice advice = advise(lost, std::nullopt, {});
    ASSERT_TRUE(advice.together) << every;
    std::set<std::string> together;
    for (const Assignment& one : advice.together->changes) {
      EXPECT_TRUE(together.insert(one.name).second) << one.name << " twice";
    }
    EXPECT_GT(advice.together->gain.with_compile, 0) << every;
    for (const Remedy& one : advice.remedies) EXPECT_GT(one.gain.with_compile, 0) << every;
    // Of the 399 steps that come again, but not of 39.
    EXPECT_EQ(together.contains("save_every_n_steps"), every == "400");
  }
}

TEST(Advise, names_validation_that_compiles_as_one_graph) {
  const std::vector<Assignment> one_core{{"slice", "v5p-8"},
                                         {"devices", "1"},
                                         {"max_steps", "-1"},
                                         {"max_epochs", "1"},
                                         {"limit_train_batches", "50"}};
  Settings settings = resnet(one_core);
  const Advice advice = advise(settings, std::nullopt, {});
  const auto found = std::ranges::find_if(
      advice.remedies, [](const Remedy& one) { return one.cause->name == "validation_graph"; });
  ASSERT_NE(found, advice.remedies.end());
  EXPECT_NE(found->finding.certain.at(0).find("391 batches of validation"), std::string::npos)
      << found->finding.certain.at(0);
  EXPECT_GT(found->gain.with_compile, 5);
  change(settings, "devices", "auto");
  EXPECT_FALSE(names(settings, "validation_graph"));
}

TEST(Advise, names_padding_where_products_wait_for_zeros_alone) {
  const auto wide = [](const char* hidden) {
    return with({{"stack", "jax"},
                 {"devices", "1"},
                 {"hidden", hidden},
                 {"batch", "1024"},
                 {"loader_row_us", "1"},
                 {"matmul.precision", "highest"}});
  };
  EXPECT_TRUE(names(wide("(1030,1030)"), "padding"));
  EXPECT_FALSE(names(wide("(1024,1024)"), "padding"));
  EXPECT_FALSE(names(wide("(1100,1100)"), "padding"));  // 52 of 1,152 are less than a gain
  EXPECT_FALSE(names(with({{"hidden", "(1030,1030)"}}), "padding"));  // the host binds
}

TEST(Advise, says_which_widths_of_a_line_of_layers_pad) {
  Settings settings = with({{"stack", "jax"},
                            {"devices", "1"},
                            {"batch", "1024"},
                            {"loader_row_us", "1"},
                            {"matmul.precision", "highest"},
                            {"model", "dense 1030 relu | dense 1030 relu | dense 10"}});
  const Advice advice = advise(settings, std::nullopt, {});
  const auto padding = std::ranges::find(advice.remedies, "padding",
                                         [](const Remedy& one) { return one.cause->name; });
  ASSERT_NE(padding, advice.remedies.end());
  EXPECT_EQ(padding->change.name, "model");
  EXPECT_EQ(padding->change.value, "dense 1024 relu | dense 1024 relu | dense 10");
  EXPECT_GT(padding->gain.steady, 0.05);
}

TEST(Advise, says_nothing_where_nothing_helps) {
  EXPECT_EQ(first(resnet()), "");
  EXPECT_EQ(first(resnet({{"slice", "v3-32"}})), "");
}

TEST(Advise, calls_the_default_run_bound_by_its_host) {
  EXPECT_EQ(first(Settings()), "small_batch");
}

TEST(Advise, puts_two_faults_before_all_else_and_cures_them_together) {
  const Advice advice =
      advise(resnet({{"item_every_n_steps", "1"}, {"straggler", "core:3:1.5"}}), std::nullopt, {});
  ASSERT_GE(advice.remedies.size(), 2U);
  EXPECT_EQ(advice.remedies[0].cause->name, "item");
  EXPECT_EQ(advice.remedies[1].cause->name, "straggler");
  ASSERT_TRUE(advice.together);
  const double healthy = tried_run(resnet(), {}).trial.steady_rate;
  EXPECT_NEAR(advice.together->then.steady_rate / healthy, 1, 0.001);
}

TEST(Advise, sees_two_habits_of_which_either_alone_is_cured_in_vain) {
  const Settings both = resnet({{"progress_bar", "on"}, {"log_every_n_steps", "1"}});
  Settings one = both;
  one.progress_bar = false;
  const double now = tried_run(both, {}).trial.steady_rate;
  EXPECT_NEAR(tried_run(one, {}).trial.steady_rate / now, 1, 0.02);
  const Advice advice = advise(both, std::nullopt, {});
  ASSERT_GE(advice.remedies.size(), 2U);
  EXPECT_EQ(advice.remedies[0].cause->name, "progress_bar");
  EXPECT_EQ(advice.remedies[1].cause->name, "logging");
  EXPECT_EQ(advice.remedies[0].typed().size(), 2U);
  EXPECT_GT(advice.remedies[0].gain.steady, 0.2);
}

TEST(Advise, sees_a_slow_host_that_a_habit_hides) {
  const Advice advice =
      advise(resnet({{"progress_bar", "on"}, {"host", "colab-node-2021"}}), std::nullopt, {});
  ASSERT_GE(advice.remedies.size(), 2U);
  EXPECT_EQ(advice.remedies[0].cause->name, "progress_bar");
  EXPECT_EQ(advice.remedies[1].cause->name, "slow_host");
}

TEST(Advise, names_a_small_gain_only_where_it_costs_nothing_to_have) {
  // item() on every second step of the default run is 3.6 % of it.
  EXPECT_EQ(first(with({{"item_every_n_steps", "2"}})), "item");
  for (const Remedy& remedy : advise(Settings(), std::nullopt, {}).remedies) {
    EXPECT_GE(std::max(remedy.gain.steady, remedy.gain.with_compile), least_gain);
  }
}

TEST(Advise, looks_at_what_a_run_did_where_only_a_run_knows) {
  const Settings settings = with({{"devices", "1"}, {"hard_examples", "on"}, {"hidden", "8"}});
  EXPECT_THROW(advise(settings, std::nullopt, {}), Impossible);
  Engine engine;
  test::run_to_end(engine, settings);
  const Advice advice = advise(settings, engine.newest_evidence(), {});
  EXPECT_EQ(advice.run, 1);
  ASSERT_FALSE(advice.remedies.empty());
  EXPECT_EQ(advice.remedies.front().cause->name, "dynamic_shape");
}

TEST(Advise, a_runs_evidence_begins_anew_when_its_settings_change) {
  Engine engine;
  Settings settings = with({{"hidden", "8"}, {"max_steps", "400"}, {"max_epochs", "-1"}});
  ASSERT_TRUE(engine.post(StepRun{20, settings}));
  engine.wait();
  EXPECT_EQ(engine.newest_evidence()->records.size() >= 20, true);
  Settings calm = settings;
  calm.pace = "watch";
  ASSERT_TRUE(engine.post(ChangeSettings{calm, Effect::at_once, {"pace"}}));
  engine.wait();
  EXPECT_EQ(engine.newest_evidence()->records.size() >= 20, true);
  Settings changed = settings;
  changed.progress_bar = true;
  ASSERT_TRUE(engine.post(ChangeSettings{changed, Effect::next_step, {"progress_bar"}}));
  engine.wait();
  EXPECT_TRUE(engine.newest_evidence()->records.empty());
  ASSERT_TRUE(engine.post(StepRun{10, changed}));
  engine.wait();
  const std::optional<RunEvidence> evidence = engine.newest_evidence();
  ASSERT_TRUE(evidence);
  EXPECT_TRUE(evidence->settings.progress_bar);
  EXPECT_EQ(advise(changed, evidence, {}).remedies.front().cause->name, "progress_bar");
}

TEST(Advise, gains_of_a_whole_run_what_its_estimates_do) {
  Settings slow = with({{"max_epochs", "2000"}, {"progress_bar", "on"}});
  const Advice advice = advise(slow, std::nullopt, {});
  ASSERT_FALSE(advice.remedies.empty());
  ASSERT_EQ(advice.remedies.front().cause->name, "progress_bar");
  Settings healthy = slow;
  healthy.progress_bar = false;
  const Estimate before = estimate(slow, {});
  const Estimate after = estimate(healthy, {});
  EXPECT_DOUBLE_EQ(advice.now.rate_with_compile, before.run->samples_per_second);
  EXPECT_DOUBLE_EQ(advice.remedies.front().gain.with_compile,
                   after.run->samples_per_second / before.run->samples_per_second - 1);
  EXPECT_DOUBLE_EQ(advice.remedies.front().gain.steady,
                   after.samples_per_second / before.samples_per_second - 1);
}

TEST(Advise, compares_a_warm_run_with_cold_tries_as_if_it_were_cold) {
  const Settings settings = with({{"devices", "1"}, {"hard_examples", "on"}, {"hidden", "8"}});
  Engine engine;
  test::run_to_end(engine, settings);
  const Trial cold = advise(settings, engine.newest_evidence(), {}).now;
  test::run_to_end(engine, settings);
  EXPECT_EQ(engine.newest_evidence()->number, 2);
  const Advice warm = advise(settings, engine.newest_evidence(), {});
  EXPECT_NEAR(warm.now.rate_with_compile / cold.rate_with_compile, 1, 0.01);
  std::optional<RunEvidence> trimmed = engine.newest_evidence();
  trimmed->records.erase(trimmed->records.begin(), trimmed->records.begin() + 10);
  const Advice of_trimmed = advise(settings, trimmed, {});
  EXPECT_EQ(of_trimmed.now.rate_with_compile, 0);
  ASSERT_FALSE(of_trimmed.remedies.empty());
  EXPECT_EQ(of_trimmed.remedies.front().gain.with_compile, 0);
}

TEST(Advise, tries_as_many_steps_as_a_run_went_whose_steps_it_cannot_try) {
  Settings settings = with({{"devices", "1"}, {"hard_examples", "on"}, {"hidden", "8"}});
  Engine engine;
  ASSERT_TRUE(engine.post(StepRun{30, settings}));
  engine.wait();
  const Advice advice = advise(settings, engine.newest_evidence(), {});
  ASSERT_FALSE(advice.remedies.empty());
  const Remedy& first = advice.remedies.front();
  ASSERT_EQ(first.change.name, "hard_examples");
  settings.hard_examples = false;
  settings.max_steps = 30;
  EXPECT_DOUBLE_EQ(first.then.rate_with_compile, tried(settings, {}).rate_with_compile);
}

TEST(Advise, ends_when_it_is_cancelled) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(advise(Settings(), std::nullopt, source.get_token()), Error);
}

}  // namespace
}  // namespace tpulab::advise_test
