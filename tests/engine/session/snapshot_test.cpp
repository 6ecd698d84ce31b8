#include "engine/session/snapshot.h"

#include <gtest/gtest.h>

namespace tpulab::snapshot_test {

TEST(Snapshot, shares_have_names_of_their_own) {
  EXPECT_EQ(name_of(Share::host_tracing), "host tracing");
  EXPECT_EQ(name_of(Share::collective_wait), "collective wait");
  for (int i = 0; i < share_count; ++i) {
    for (int j = 0; j < i; ++j) {
      EXPECT_NE(name_of(static_cast<Share>(i)), name_of(static_cast<Share>(j)));
    }
  }
}

TEST(Snapshot, stalls_and_collectives_count_as_busy) {
  EXPECT_TRUE(inside_program(Share::compute));
  EXPECT_TRUE(inside_program(Share::hbm_bound));
  EXPECT_TRUE(inside_program(Share::collective_wait));
  EXPECT_FALSE(inside_program(Share::idle));
  EXPECT_FALSE(inside_program(Share::compile));
  EXPECT_FALSE(inside_program(Share::cpu_fallback));
}

TEST(Snapshot, run_states_have_names) {
  EXPECT_EQ(name_of(RunState::none), "no run");
  EXPECT_EQ(name_of(RunState::failed), "failed");
}

}  // namespace tpulab::snapshot_test
