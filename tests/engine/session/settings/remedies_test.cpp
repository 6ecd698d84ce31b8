#include "engine/session/settings/remedies.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/session/settings/memory_check.h"

namespace tpulab::remedies_test {
namespace {

bool holds(const Settings& settings) {
  try {
    check_memory(settings);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Settings with(const std::vector<Assignment>& changes) {
  Settings settings;
  change_all(settings, changes);
  return settings;
}

// What names `name`, which is tried once more as it is typed; empty if nothing does.
WayToFit way_by(const Settings& settings, std::string_view name) {
  for (const WayToFit& way : remedies(settings, settings.batch, holds)) {
    if (std::ranges::find(way, name, &Assignment::name) == way.end()) continue;
    Settings changed = settings;
    change_all(changed, way);
    EXPECT_TRUE(holds(changed));
    return way;
  }
  return {};
}

TEST(Remedies, divide_the_experts_of_a_layer_before_anything_is_sent_to_the_host) {
  const Settings settings = with({{"model", "deepseek-v3"},
                                  {"slice", "v5p-256"},
                                  {"batch", "1"},
                                  {"sequence", "6144"},
                                  {"stack", "jax"},
                                  {"precision", "bf16-mixed"},
                                  {"remat", "full"}});
  ASSERT_FALSE(holds(settings));
  const std::vector<WayToFit> ways = remedies(settings, 1, holds);
  ASSERT_FALSE(ways.empty());
  EXPECT_EQ(ways[0].at(0).name, "mesh");
  EXPECT_TRUE(ways[0].at(0).value.starts_with("expert="));
  EXPECT_FALSE(way_by(settings, "mesh").empty());
}

TEST(Remedies, keep_more_rows_where_less_is_stored) {
  const std::vector<std::vector<Assignment>> cases{
      {{"model", "llama3-70b"},
       {"slice", "v5p-128"},
       {"batch", "16"},
       {"remat", "minimal-offload"}},
      {{"model", "llama3-8b"}, {"slice", "v6e-16"}, {"batch", "32"}, {"remat", "full"}}};
  for (std::vector<Assignment> changes : cases) {
    changes.push_back({"stack", "jax"});
    changes.push_back({"precision", "bf16-mixed"});
    const Settings settings = with(changes);
    const WayToFit fewer = way_by(settings, "batch");
    const WayToFit more = way_by(settings, "remat");
    ASSERT_EQ(fewer.size(), 1U) << changes[0].value;
    ASSERT_FALSE(more.empty()) << changes[0].value;
    EXPECT_GE(std::stoi(more.back().value), 2 * std::stoi(fewer[0].value)) << changes[0].value;
  }
}

}  // namespace
}  // namespace tpulab::remedies_test
