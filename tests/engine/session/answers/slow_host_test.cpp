// One host of several that is slower than the others, and what is told of steps that wait for it.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/answers/advise.h"
#include "engine/session/answers/estimate.h"
#include "engine/session/answers/speed_ups.h"

namespace tpulab::slow_host_test {
namespace {

Settings with_a_slow_host(const std::vector<Assignment>& others) {
  Settings settings;
  change_all(settings, std::vector<Assignment>{{"slice", "v3-32"}, {"straggler", "host:3:1.4"}});
  change_all(settings, others);
  return settings;
}

// The devices of fast hosts only wait: what the slow one does counts all the same.
TEST(SlowHost, lets_what_it_does_bind) {
  const Settings settings = with_a_slow_host({{"limit_val_batches", "0"}});
  const Estimate told = estimate(settings);
  const double left = in_seconds(told.next_bound_step) / in_seconds(told.step);
  for (const SpeedUp& one : speed_ups(settings, 2)) EXPECT_GE(one.ratio, left) << one.resource;
  EXPECT_EQ(told.bound, "host tracing");
}

TEST(SlowHost, counts_its_compiles_once_where_validation_waits_for_them) {
  const auto parts_of = [](const Estimate& told) {
    return in_seconds(told.compile) + told.run->evaluations.seconds;
  };
  const Estimate slow = estimate(with_a_slow_host({{"max_steps", "12"}}));
  EXPECT_LT(parts_of(slow), in_seconds(slow.run->time));
  const Estimate alike = estimate(with_a_slow_host({{"max_steps", "12"}, {"straggler", "none"}}));
  EXPECT_NEAR(slow.run->evaluations.seconds / alike.run->evaluations.seconds, 1.2, 0.3);
}

// Its batches are behind from the first step on, whatever the loaders of the others had ready.
TEST(SlowHost, lets_no_step_count_that_lives_on_what_its_loader_had_ready) {
  const auto step_of = [](const char* steps, const char* straggler) {
    return in_seconds(estimate(with_a_slow_host({{"model", "resnet50"},
                                                 {"precision", "bf16-true"},
                                                 {"batch", "64"},
                                                 {"host_cpus", "32"},
                                                 {"loader_row_us", "20000"},
                                                 {"straggler", straggler},
                                                 {"max_steps", steps}}))
                          .step);
  };
  EXPECT_NEAR(step_of("20", "host:0:20") / step_of("500", "host:0:20"), 1, 0.02);
  EXPECT_NEAR(step_of("500", "host:0:20") / step_of("500", "none"), 20, 0.2);
}

// Sending takes 90 % of a step on Colab's old node, tracing 10 %.
TEST(SlowHost, is_advised_against_by_what_takes_most_of_a_step) {
  Settings settings;
  change(settings, "host", "colab-node-2021");
  const Advice advice = advise(settings, std::nullopt, {});
  const Finding& seen = advice.remedies.at(0).finding;
  ASSERT_EQ(seen.certain.size(), 3U);
  EXPECT_TRUE(seen.certain[1].starts_with("input, transfers and read-backs: 90 %"));
  EXPECT_TRUE(seen.certain[2].starts_with("host tracing 10 %"));
  EXPECT_TRUE(seen.inferred.starts_with("the devices wait for what the host sends"));
}

TEST(SlowHost, hides_no_slow_loader_from_advice) {
  const Settings settings = with_a_slow_host({{"model", "resnet50"},
                                              {"stack", "jax"},
                                              {"precision", "bf16-mixed"},
                                              {"batch", "128"},
                                              {"loader_row_us", "10000"},
                                              {"straggler", "host:0:1.01"}});
  const Advice advice = advise(settings, std::nullopt, {});
  EXPECT_TRUE(std::ranges::any_of(advice.remedies, [](const Remedy& one) {
    return one.change.name == "loader_workers" && one.own.steady > 0.5;
  }));
}

}  // namespace
}  // namespace tpulab::slow_host_test
