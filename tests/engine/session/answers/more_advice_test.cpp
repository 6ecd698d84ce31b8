#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "engine/session/answers/advise.h"
#include "engine/session/answers/estimate.h"

namespace tpulab::more_advice_test {
namespace {

Advice on(const std::vector<Assignment>& changes) {
  Settings settings;
  change_all(settings, changes);
  return advise(settings, std::nullopt, {});
}

bool names(const Advice& advice, std::string_view cause) {
  return std::ranges::any_of(advice.remedies,
                             [&](const Remedy& one) { return one.cause->name == cause; });
}

// Up to 2.9 PyTorch/XLA cannot read on a TPU what it keeps there.
TEST(MoreAdvice, keeps_programs_on_disk_where_a_tpu_reads_them_back) {
  for (const std::string stack : {"jax", "pytorch-xla"}) {
    std::vector<Assignment> lost{{"model", "resnet50"}, {"batch", "128"},   {"max_steps", "80"},
                                 {"stack", stack},      {"numbers", "off"}, {"preempt", "host@50"}};
    EXPECT_EQ(names(on(lost), "cold_cache"), stack == "jax");
    lost.push_back({"cache_persistent", "on"});
    EXPECT_FALSE(names(on(lost), "cold_cache")) << stack;
  }
}

TEST(MoreAdvice, cures_each_of_two_operations_on_the_cpu) {
  const Advice advice = on({{"class_weights", "on"}, {"fallback_op", "median"}});
  EXPECT_EQ(std::ranges::count(advice.remedies, "fallback",
                               [](const Remedy& one) { return one.cause->name; }),
            2);
  ASSERT_TRUE(advice.together);
  for (const char* setting : {"class_weights", "fallback_op"}) {
    EXPECT_EQ(std::ranges::count(advice.together->changes, setting, &Assignment::name), 1);
  }
}

const Remedy& remedy(const Advice& advice, std::string_view cause) {
  const auto found = std::ranges::find_if(
      advice.remedies, [&](const Remedy& one) { return one.cause->name == cause; });
  if (found == advice.remedies.end()) throw std::runtime_error("no " + std::string(cause));
  return *found;
}

// Of twice as many rows there are twice as many numbers to compile for.
// 45 rows of a device on 32 cores, 180 on eight: no power of two is between them and the batch.
TEST(MoreAdvice, fills_an_epoch_where_twice_the_batch_is_more) {
  const auto batch_of = [](const Advice& advice) {
    const auto larger = std::ranges::find(advice.remedies, "small_batch",
                                          [](const Remedy& one) { return one.cause->name; });
    return larger == advice.remedies.end() ? std::string("none") : larger->change.value;
  };
  EXPECT_EQ(batch_of(on({{"slice", "v3-32"}})), "45");
  EXPECT_EQ(batch_of(on({{"batch", "128"}})), "180");
  EXPECT_EQ(batch_of(on({{"batch", "180"}})), "none");
  EXPECT_EQ(batch_of(on({})), "128");
}

// One core has 1,437 rows in an epoch, each of eight has 180.
TEST(MoreAdvice, puts_no_batch_together_with_devices_whose_epoch_has_fewer_rows) {
  const Advice advice = on({{"devices", "1"}});
  ASSERT_TRUE(advice.together);
  const auto& changes = advice.together->changes;
  const auto batch = std::ranges::find(changes, "batch", &Assignment::name);
  ASSERT_NE(batch, changes.end());
  EXPECT_EQ(batch->value, "180");
}

TEST(MoreAdvice, enlarges_a_batch_of_random_rows_only_once_these_are_fixed) {
  const Advice advice = on({{"model", "resnet8"}, {"shapes", "random"}, {"batch", "16"}});
  const Remedy& larger = remedy(advice, "small_batch");
  ASSERT_EQ(larger.typed().size(), 2U);
  EXPECT_EQ(larger.typed().front().value, "fixed");
  EXPECT_GT(larger.own.with_compile, 0);
  for (const Remedy& one : advice.remedies) {
    EXPECT_GT(one.gain.with_compile, 0) << one.cause->name;
  }
}

TEST(MoreAdvice, tries_a_longer_run_where_a_remedy_loses_in_a_short_one) {
  std::vector<Assignment> changes{{"model", "resnet8"}, {"stack", "jax"}, {"batch", "4"}};
  const Remedy larger = remedy(on(changes), "small_batch");
  EXPECT_LT(larger.gain.with_compile, 0);
  ASSERT_TRUE(larger.longer);
  const auto rate = [&](const char* batch) {
    changes[2].value = batch;
    Settings settings;
    change_all(settings, changes);
    settings.max_epochs = 100 * 20;
    return estimate(settings).run->samples_per_second;
  };
  const double gain = rate(larger.change.value.c_str()) / rate("4") - 1;
  EXPECT_NEAR(larger.longer->with_compile / gain, 1, 0.001);
  EXPECT_GT(gain, 0);
}

// Of 1,437 digits 637 fill no second batch: half as many rows between two validations.
TEST(MoreAdvice, leaves_out_what_loses_however_long_a_run_is) {
  const std::vector<Assignment> changes{{"batch", "100"}, {"max_epochs", "1000"}};
  for (const Remedy& one : on(changes).remedies) {
    EXPECT_TRUE(one.change.name != "drop_last" || !one.others.empty());
  }
}

TEST(MoreAdvice, validates_less_often_but_still_does) {
  const std::vector<Assignment> changes{{"numbers", "off"},        {"model", "resnet50"},
                                        {"stack", "jax"},          {"batch", "128"},
                                        {"max_steps", "500"},      {"val_check_interval", "20"},
                                        {"precision", "bf16-true"}};
  const Advice advice = on(changes);
  const Remedy& rarer = remedy(advice, "frequent_validation");
  Settings before;
  change_all(before, changes);
  Settings after = before;
  change(after, rarer.change.name, rarer.change.value);
  const Estimate now = estimate(before);
  const Estimate then = estimate(after);
  EXPECT_NEAR(rarer.gain.with_compile, in_seconds(now.run->time) / in_seconds(then.run->time) - 1,
              0.001);
  EXPECT_GE(then.run->evaluations.count, 2);
  // What is left of it is less than would be named.
  EXPECT_LT(then.run->evaluations.seconds / in_seconds(then.run->time), 0.06);
  EXPECT_FALSE(names(on({{"numbers", "off"},
                         {"model", "resnet50"},
                         {"stack", "jax"},
                         {"batch", "128"},
                         {"max_steps", "500"}}),
                     "frequent_validation"));
}

// Where no epoch is cut, fewer of them are validated.
// The replay leaves epochs out, between the last two validations that it keeps here.
TEST(MoreAdvice, finds_frequent_validation_wherever_the_run_ends) {
  for (const char* steps : {"470", "480"}) {
    EXPECT_TRUE(names(on({{"model", "resnet50"},
                          {"stack", "jax"},
                          {"batch", "128"},
                          {"max_epochs", "20"},
                          {"max_steps", steps},
                          {"limit_train_batches", "50"},
                          {"val_check_interval", "20"}}),
                      "frequent_validation"))
        << steps;
  }
}

TEST(MoreAdvice, validates_fewer_epochs_where_these_are_short) {
  const Remedy rarer = remedy(on({{"stack", "jax"}, {"batch", "128"}, {"max_epochs", "1000"}}),
                              "frequent_validation");
  EXPECT_EQ(rarer.change.name, "check_val_every_n_epoch");
  EXPECT_GT(rarer.gain.with_compile, least_gain);
}

TEST(MoreAdvice, multiplies_int8_where_the_chip_does_so_faster) {
  const auto decoder = [](const char* slice) {
    return on({{"numbers", "off"},
               {"stack", "jax"},
               {"slice", slice},
               {"batch", "1"},
               {"max_steps", "20"},
               {"precision", "bf16-true"},
               {"remat", "full"},
               {"model", "llama3-8b"}});
  };
  const Remedy narrow = remedy(decoder("v6e-64"), "wide_products");
  EXPECT_EQ(narrow.change.value, "int8");
  EXPECT_GE(narrow.gain.steady, least_gain_of_a_trade);
  EXPECT_FALSE(names(decoder("v4-64"), "wide_products"));
}

TEST(MoreAdvice, keeps_scores_of_attention_in_vmem_where_they_cross_hbm) {
  const auto decoder = [](const char* slice, const char* attention) {
    return on({{"numbers", "off"},
               {"slice", slice},
               {"batch", "1"},
               {"max_steps", "20"},
               {"precision", "bf16-true"},
               {"remat", "full"},
               {"model", "llama2-7b"},
               {"attention", attention}});
  };
  const Advice advice = decoder("v5e-16", "auto");
  const Remedy& fused = remedy(advice, "scores_in_hbm");
  EXPECT_EQ(fused.change.value, "fused");
  EXPECT_GT(fused.gain.steady, 0.2);
  EXPECT_FALSE(names(advice, "wide_products"));  // nothing trains in int8 there
  EXPECT_FALSE(names(decoder("v5e-16", "fused"), "scores_in_hbm"));
  EXPECT_FALSE(names(decoder("v3-32", "auto"), "scores_in_hbm"));
}

// JAX keeps heads that share keys apart in products, and puts them together in the softmax.
TEST(MoreAdvice, counts_each_kernel_that_reads_or_writes_scores) {
  const auto kernels = [](const char* stack) {
    const Advice advice = on({{"model", "llama3-8b"},
                              {"slice", "v6e-16"},
                              {"batch", "1"},
                              {"stack", stack},
                              {"precision", "bf16-true"},
                              {"remat", "full"},
                              {"sequence", "4000"}});
    return std::stoi(remedy(advice, "scores_in_hbm").finding.certain.at(1));
  };
  // Eleven a layer: forward, forward again, backward.
  EXPECT_EQ(kernels("jax"), 32 * 11);
  EXPECT_EQ(kernels("pytorch-xla"), 32 * 11);
}

// Either would drop the passes too, and most of its gain would be theirs.
TEST(MoreAdvice, drops_passes_of_products_before_it_narrows_them) {
  std::vector<Assignment> changes{{"numbers", "off"},     {"stack", "jax"},
                                  {"slice", "v5p-16"},    {"batch", "1"},
                                  {"max_steps", "20"},    {"remat", "full"},
                                  {"model", "llama2-7b"}, {"matmul.precision", "highest"}};
  const Advice many = on(changes);
  EXPECT_TRUE(names(many, "matmul_passes"));
  EXPECT_FALSE(names(many, "wide_storage"));
  EXPECT_FALSE(names(many, "wide_products"));
  changes.back().value = "default";
  EXPECT_TRUE(names(on(changes), "wide_products"));
}

TEST(MoreAdvice, keeps_f32_weights_where_that_gains_as_much) {
  const auto narrow = [](const char* stack) {
    return remedy(on({{"numbers", "off"},
                      {"stack", stack},
                      {"batch", "128"},
                      {"max_steps", "60"},
                      {"model", "resnet50"}}),
                  "wide_storage");
  };
  EXPECT_EQ(narrow("jax").change.value, "bf16-mixed");
  EXPECT_TRUE(narrow("jax").finding.traced_once.starts_with("in JAX: "));
  EXPECT_TRUE(narrow("tensorflow").finding.traced_once.starts_with("in TensorFlow: "));
  EXPECT_EQ(narrow("pytorch-xla").change.value, "bf16-true");
  EXPECT_EQ(narrow("pytorch-xla").finding.traced_once, "");
}

const std::string& value_of(const std::vector<Assignment>& changes, std::string_view setting) {
  const auto found = std::ranges::find(changes, setting, &Assignment::name);
  if (found == changes.end()) throw std::runtime_error("no " + std::string(setting));
  return found->value;
}

// A straggler makes no difference where all wait for the host, which the bar lets them do.
TEST(MoreAdvice, names_of_the_others_beside_which_a_remedy_gains_those_alone_that_it_needs) {
  const std::vector<Assignment> changes{{"model", "bert-base"},      {"optimizer", "sgd"},
                                        {"straggler", "core:3:1.5"}, {"host", "colab-node-2021"},
                                        {"host_cpus", "96"},         {"progress_bar", "on"}};
  const Advice advice = on(changes);
  const Remedy& narrow = remedy(advice, "wide_storage");
  ASSERT_EQ(narrow.others.size(), 2U);
  for (const Assignment& other : narrow.others) EXPECT_NE(other.name, "straggler");
  Settings settings;
  change_all(settings, changes);
  change_all(settings, narrow.others);
  const double before = estimate(settings).samples_per_second;
  change(settings, narrow.change.name, narrow.change.value);
  EXPECT_NEAR(narrow.own.steady, estimate(settings).samples_per_second / before - 1, 0.001);
}

// Two CPUs of a Colab node make rows no faster with four processes; those of a TPU VM do.
TEST(MoreAdvice, chooses_values_anew_beside_the_other_remedies) {
  const std::vector<Assignment> changes{
      {"model", "resnet50"}, {"host", "colab-node-2021"}, {"loader_row_us", "8000"}};
  const Advice advice = on(changes);
  EXPECT_EQ(remedy(advice, "slow_loader").change.value, "1");
  ASSERT_TRUE(advice.together);
  EXPECT_EQ(value_of(advice.together->changes, "host"), "tpu-vm");
  EXPECT_EQ(value_of(advice.together->changes, "loader_workers"), "4");
  Settings settings;
  change_all(settings, changes);
  change_all(settings, advice.together->changes);
  EXPECT_NEAR(estimate(settings).samples_per_second / advice.together->then.steady_rate, 1, 0.001);
}

// All rows of an epoch in one step are no choice where a smaller batch is chosen.
TEST(MoreAdvice, chooses_no_whole_epoch_anew) {
  const Advice advice = on({{"limit_train_batches", "2"},
                            {"batch", "64"},
                            {"host", "colab-node-2021"},
                            {"host_cpus", "96"},
                            {"max_steps", "100"}});
  EXPECT_EQ(remedy(advice, "small_batch").change.value, "128");
  ASSERT_TRUE(advice.together);
  EXPECT_EQ(value_of(advice.together->changes, "batch"), "128");
}

TEST(MoreAdvice, saves_less_often_but_still_does) {
  const Advice advice = on({{"save_every_n_steps", "2"}, {"max_steps", "18"}});
  EXPECT_EQ(remedy(advice, "checkpoints").change.value, "8");
  const Advice shorter = on({{"save_every_n_steps", "2"}, {"max_steps", "10"}});
  ASSERT_TRUE(shorter.together);
  EXPECT_EQ(value_of(shorter.together->changes, "save_every_n_steps"), "8");
}

// 96 CPUs of a host for 8 cores.
TEST(MoreAdvice, asks_for_no_more_loaders_than_there_are_cpus_for) {
  const Advice advice = on({{"loader_workers", "0"}, {"loader_row_us", "8000"}});
  EXPECT_EQ(remedy(advice, "slow_loader").change.value, "12");
}

}  // namespace
}  // namespace tpulab::more_advice_test
