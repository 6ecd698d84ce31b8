#include "tui/timeline/cells.h"

#include <gtest/gtest.h>

#include "tests/tui/example_snapshot.h"
#include "tui/timeline/words.h"

namespace tpulab::cells_test {
namespace {

constexpr Picoseconds us(std::int64_t count) { return std::chrono::microseconds(count); }
constexpr std::size_t host = 0;
constexpr std::size_t devices = 2;

// 100 us a step: the host traces for 80, the device works for the last 20, of which 5 in the
// all-reduce; a compile of 900 us in the first one.
class CellsTest : public testing::Test {
 protected:
  std::shared_ptr<const RunTimeline> run_ = example_timeline(1000);
  TimelineCells cells(Picoseconds from, double per_column, int columns) const {
    return timeline_cells(*run_, TimeAxis(from, per_column, columns, run_->compiles));
  }
};

TEST_F(CellsTest, close_by_each_cell_is_what_its_lane_did_then) {
  const TimelineCells seen = cells(us(1000), 10e6, 10);  // the second step
  for (std::size_t column = 0; column < 10; ++column) {
    EXPECT_EQ(seen[host][column].covered > 0, column < 8) << column;
    EXPECT_EQ(seen[devices][column].covered > 0, column >= 8) << column;
  }
  EXPECT_EQ(seen[host][3].share, Share::host_tracing);
  EXPECT_EQ(seen[devices][8].share, Share::compute);
  EXPECT_DOUBLE_EQ(seen[3][9].covered, 0.5);  // collectives
}

TEST_F(CellsTest, from_afar_each_cell_is_covered_by_the_share_of_its_time) {
  const TimelineCells seen = cells(us(1000), 1000e6, 50);  // ten steps a cell
  for (std::size_t column = 0; column < 50; ++column) {
    EXPECT_NEAR(seen[host][column].covered, 0.8, 1e-9) << column;
    EXPECT_NEAR(seen[devices][column].covered, 0.2, 1e-9) << column;
  }
}

TEST_F(CellsTest, the_path_changes_from_host_to_devices_and_collectives) {
  const TimelineCells seen = cells(us(1000), 5e6, 20);
  const auto lane = [&](std::size_t column) {
    return lane_of_path(*run_, seen.back()[column].share);
  };
  EXPECT_EQ(lane(2), host);
  EXPECT_EQ(lane(17), devices);
  EXPECT_EQ(lane(19), 3U);
}

TEST_F(CellsTest, under_the_cursor_is_a_kernel_a_host_event_or_what_many_steps_did_most) {
  TimelineFound found = found_at(*run_, devices, {us(1085), us(1086)});
  EXPECT_EQ(found.name, "dot+add");
  EXPECT_TRUE(found.kernel);
  EXPECT_EQ(found.time.length(), us(15));
  EXPECT_EQ(found.step, 1);
  found = found_at(*run_, host, {us(1085), us(1086)});
  EXPECT_EQ(found.share, Share::idle);
  found = found_at(*run_, host, {us(500), us(510)});
  EXPECT_EQ(found.name, "compile train step");
  EXPECT_EQ(found.why, "first graph");
  found = found_at(*run_, host, {us(2000), us(4000)});
  EXPECT_EQ(found.steps, 20);
  EXPECT_EQ(found.share, Share::host_tracing);
  EXPECT_NEAR(found.part, 0.8, 1e-9);
}

// The host traced ahead: what it did for these two steps lies before them.
TEST(Cells, what_several_steps_did_is_never_more_than_the_moment) {
  const auto step = [](Picoseconds ahead) {
    StepShape shape;
    shape.kind = "train";
    shape.duration = us(50);
    shape.lanes = {{{Share::host_tracing, -ahead, us(0)}}};
    shape.sums.resize(2);
    shape.sums[0][index_of(Share::host_tracing)] = ahead;
    return std::make_shared<const StepShape>(std::move(shape));
  };
  RunTimeline run;
  run.lanes = {{TimelineRow::host, "host", true}};
  run.before = us(100);
  run.blocks = {std::make_shared<const RunTimeline::Block>(
      RunTimeline::Block{{us(100), 0, 1, step(us(100))}, {us(150), 1, 1, step(us(50))}})};
  const TimelineFound found = found_at(run, host, {us(100), us(200)});
  EXPECT_EQ(found.steps, 2);
  EXPECT_EQ(found.share, Share::host_tracing);
  EXPECT_DOUBLE_EQ(found.part, 0.5);
}

TEST_F(CellsTest, shares_of_the_path_are_those_of_the_window) {
  for (const TimeSpan window : {TimeSpan{us(1000), us(1100)}, {us(1000), us(51000)}}) {
    const Shares shares = path_shares(*run_, window);
    EXPECT_NEAR(shares[index_of(Share::host_tracing)], 0.8, 1e-9);
    EXPECT_NEAR(shares[index_of(Share::compute)], 0.15, 1e-9);
    EXPECT_NEAR(shares[index_of(Share::collective_transfer)], 0.05, 1e-9);
  }
}

TEST_F(CellsTest, words_say_what_how_long_and_why) {
  const TimeAxis axis(us(1000), 1e6, 100, run_->compiles);
  TimelineCursor cursor{devices, 85, found_at(*run_, devices, axis.cell(85))};
  EXPECT_EQ(timeline_what(*run_, cursor), "cores 0-7, step 1 (train): dot+add, 15.0 us");
  EXPECT_EQ(timeline_why(*run_, axis, cursor), "bound: matrix unit");
  cursor = {devices, 20, found_at(*run_, devices, axis.cell(20))};
  EXPECT_EQ(timeline_why(*run_, axis, cursor), "idle: the run waits for host: trace 40 ops");
}

}  // namespace
}  // namespace tpulab::cells_test
