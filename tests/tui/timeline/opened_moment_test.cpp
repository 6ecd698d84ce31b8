#include "tui/timeline/opened_moment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/tui/example_snapshot.h"

namespace tpulab::opened_moment_test {
namespace {

constexpr Picoseconds us(std::int64_t count) { return std::chrono::microseconds(count); }

// A step of 500 us on the slowest host: a read, an op on the CPU, an upload, tracing; the cores
// idle.
std::shared_ptr<const RunTimeline> host_work(std::int64_t whole = 500) {
  StepShape shape;
  shape.kind = "train";
  shape.duration = us(whole);
  shape.lanes.resize(4);
  shape.sums.resize(5);
  const auto add = [&shape](Share share, std::int64_t start, std::int64_t end, std::string name) {
    shape.lanes[0].push_back({share, us(start), us(end)});
    shape.path.push_back(shape.lanes[0].back());
    for (const std::size_t lane : {0, 4}) shape.sums[lane][index_of(share)] += us(end - start);
    shape.events.push_back({0, us(start), us(end), share, std::move(name), ""});
  };
  add(Share::read_back, 0, 100, "read back aten::_local_scalar_dense");
  add(Share::cpu_fallback, 100, 200, "host op aten::nonzero");
  add(Share::transfer, 200, 300, "upload 40 kB");
  add(Share::host_tracing, 300, 500, "trace 40 ops");
  RunTimeline run = *example_timeline(2);
  run.compiles.clear();
  run.blocks = {std::make_shared<const RunTimeline::Block>(
      RunTimeline::Block{{us(0), 7, 1, std::make_shared<const StepShape>(std::move(shape))}})};
  return std::make_shared<const RunTimeline>(std::move(run));
}

FallbackRow fallback(std::string op, std::string why) {
  FallbackRow row;
  row.op = std::move(op);
  row.count = 3;
  row.why = std::move(why);
  return row;
}

// At a microsecond of the run, in the lane of that number.
Opened opened_at(const Snapshot& now, std::size_t lane, std::int64_t at) {
  const TimeAxis axis(us(at), 1e6, 10, {});
  return opened_moment(now, axis, {lane, 0, found_at(*now.timeline, lane, axis.cell(0))});
}

std::string text(const Opened& opened) { return fmt::format("{}", fmt::join(opened.lines, "\n")); }

bool says(const Opened& opened, std::string_view words) {
  return text(opened).find(words) != std::string::npos;
}

TEST(OpenedMoment, a_compile_tells_its_own_cause_and_no_other) {
  Snapshot now = example_training_snapshot();
  now.compiles.events = {{.step = 0, .graph = "evaluation", .cause = "not this"},
                         {.step = 0, .graph = "train step", .cause = "the first", .nodes = 214},
                         {.step = 9, .graph = "train step", .cause = "not this"}};
  const Opened opened = opened_at(now, 0, 500);
  EXPECT_TRUE(says(opened, "a graph of 214 nodes")) << text(opened);
  EXPECT_TRUE(says(opened, "  the first"));
  EXPECT_FALSE(says(opened, "not this"));
  EXPECT_TRUE(opened.command.empty());
}

TEST(OpenedMoment, a_fallback_and_a_read_tell_their_cost) {
  Snapshot now = example_events_snapshot();
  now.timeline = host_work();
  now.fallbacks = {fallback("aten::nonzero", "data-dependent shape"),
                   fallback("aten::_local_scalar_dense", "item() reads")};
  EXPECT_TRUE(says(opened_at(now, 0, 150), "Why: data-dependent shape"));
  EXPECT_TRUE(says(opened_at(now, 0, 50), "Why: item() reads"));
}

TEST(OpenedMoment, host_work_tells_all_that_the_host_did_and_what_the_step_waited_for) {
  Snapshot now = example_events_snapshot();
  now.timeline = host_work();
  for (const std::int64_t at : {250, 400}) {
    const Opened opened = opened_at(now, 0, at);
    EXPECT_TRUE(says(opened, "What the host did for this step:")) << text(opened);
    EXPECT_TRUE(says(opened, "     200 us  trace 40 ops")) << text(opened);
    EXPECT_TRUE(says(opened, "Step 7 (train), 500 us of TPU time (est.), waited for:"));
    EXPECT_TRUE(says(opened, "  host tracing           200 us    40 %")) << text(opened);
    EXPECT_TRUE(opened.command.empty());
  }
}

TEST(OpenedMoment, shares_of_the_slowest_device_are_of_its_own_time) {
  Snapshot now = example_events_snapshot();
  now.timeline = host_work(400);  // the others begin later
  const Opened opened = opened_at(now, 0, 350);
  EXPECT_TRUE(
      says(opened, "400 us of TPU time (est.); the 500 us of its slowest device waited for:"))
      << text(opened);
  EXPECT_TRUE(says(opened, "  host tracing           200 us    40 %")) << text(opened);
}

TEST(OpenedMoment, where_a_lane_idles_what_the_run_waited_for_is_told) {
  Snapshot now = example_events_snapshot();
  now.timeline = host_work();
  now.fallbacks = {fallback("aten::nonzero", "data-dependent shape")};
  for (const std::size_t lane : {2, 4}) {  // the cores, the path
    const Opened opened = opened_at(now, lane, 150);
    EXPECT_TRUE(says(opened, "host, step 7 (train): host op aten::nonzero")) << text(opened);
    EXPECT_TRUE(says(opened, "Why: data-dependent shape"));
  }
}

TEST(OpenedMoment, a_kernel_and_a_collective_are_explained_by_the_word_of_the_list_of_kernels) {
  const Snapshot now = example_training_snapshot();
  EXPECT_EQ(opened_at(now, 2, 1085).command, "explain dot");
  EXPECT_EQ(opened_at(now, 3, 1097).command, "explain all-reduce");
  EXPECT_EQ(opened_at(now, 4, 1085).command, "explain dot");  // the path
}

TEST(OpenedMoment, a_kernel_of_a_region_is_explained_by_its_op_and_not_by_the_region) {
  Snapshot now = example_training_snapshot();
  RunTimeline run = *now.timeline;
  RunTimeline::Block block = *run.blocks[0];
  StepShape shape = *block[1].shape;
  for (TimelineEvent& event : shape.events) {
    if (event.name == "dot+add") event.name = "layer: dot+add x 12";
  }
  block[1].shape = std::make_shared<const StepShape>(shape);
  run.blocks = {std::make_shared<const RunTimeline::Block>(block)};
  now.timeline = std::make_shared<const RunTimeline>(run);
  EXPECT_EQ(opened_at(now, 2, 1085).command, "explain dot");
}

TEST(OpenedMoment, a_kernel_of_no_training_step_is_not_explained_by_one) {
  Snapshot now = example_training_snapshot();
  RunTimeline run = *now.timeline;
  RunTimeline::Block block = *run.blocks[0];
  StepShape shape = *block[1].shape;
  shape.kind = "evaluate";
  block[1].shape = std::make_shared<const StepShape>(shape);
  run.blocks = {std::make_shared<const RunTimeline::Block>(block)};
  now.timeline = std::make_shared<const RunTimeline>(run);
  EXPECT_TRUE(opened_at(now, 2, 1085).command.empty());
  EXPECT_TRUE(says(opened_at(now, 2, 1085), "this one is none"));
}

}  // namespace
}  // namespace tpulab::opened_moment_test
