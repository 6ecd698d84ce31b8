#include "tui/screen/reduced.h"

#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "tests/tui/example_snapshot.h"

namespace tpulab::reduced_test {
namespace {

TEST(Reduced, counts_that_have_no_room_are_left_out_whole) {
  Snapshot now = example_training_snapshot();
  now.compiles.compiled = 5;
  now.compiles.again = 2;
  now.compiles.total = std::chrono::milliseconds(2280);
  now.fallbacks.assign(1, FallbackRow{});
  now.fallbacks[0].count = 25;
  const auto counts = [&](int columns) {
    Canvas canvas(12, columns);
    draw_reduced(now, {}, canvas, {0, 0, 12, columns});
    return split(canvas.text(), '\n').at(4);
  };
  EXPECT_EQ(counts(64), " 5 compiles, 2 again (2.28 s TPU time), 0 fallbacks, 25 reads");
  EXPECT_EQ(counts(60), " 5 compiles, 2 again (2.28 s TPU time), 0 fallbacks");
}

}  // namespace
}  // namespace tpulab::reduced_test
