#include "tui/farewell.h"

#include <gtest/gtest.h>

#include "tests/tui/example_snapshot.h"

namespace tpulab::farewell_test {

TEST(Farewell, says_what_ran_what_bound_it_and_how_to_repeat_it) {
  EXPECT_EQ(farewell(example_training_snapshot().run, Settings(), Settings()),
            "run 1: mlp 64-1024-1024-10 on v3-8, training after 112 steps, loss 0.0312, test "
            "accuracy 91.4 %\n"
            "bound: host tracing, saves 96 % if free; 55.6k samples/s TPU time (est.)\n"
            "again: tpulab -c 'run'\n");
}

TEST(Farewell, is_silent_where_nothing_ran) {
  EXPECT_EQ(farewell(example_empty_snapshot().run, Settings(), Settings()), "");
}

}  // namespace tpulab::farewell_test
