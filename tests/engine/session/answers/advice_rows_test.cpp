// What is advised trains on the rows that were there.
#include <gtest/gtest.h>

#include "engine/session/answers/advise.h"
#include "engine/session/settings/memory_check.h"

namespace tpulab::advice_rows_test {
namespace {

// 180 rows a device: a batch of 128 and no last one would leave out 52.
TEST(AdviceRows, all_together_leaves_out_no_fifth_of_them) {
  const Advice advice = advise(Settings{}, std::nullopt, {});
  ASSERT_TRUE(advice.together);
  const Settings& all = advice.together->settings;
  EXPECT_GT(all.batch, Settings{}.batch);
  const std::int64_t rows = rows_per_device(all);
  EXPECT_LE(all.drop_last ? rows % all.batch : 0, rows / 5);
}

}  // namespace
}  // namespace tpulab::advice_rows_test
