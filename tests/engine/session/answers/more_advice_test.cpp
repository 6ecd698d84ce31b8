#include <gtest/gtest.h>

#include <algorithm>

#include "engine/session/answers/advise.h"

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

}  // namespace
}  // namespace tpulab::more_advice_test
