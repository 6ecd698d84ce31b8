// The timeline of 100,000 steps: what one picture costs, from the whole run to a nanosecond a cell.
#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include "bench/row.h"
#include "engine/session/run/run_timeline.h"
#include "tui/screen/screen.h"
#include "tui/timeline/words.h"

namespace tpulab::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int rows = 50;
constexpr int columns = 200;
constexpr std::int64_t steps = 100'000;

double paint(const ScreenState& state) {
  constexpr int times = 5;
  const auto start = Clock::now();
  for (int i = 0; i < times; ++i) draw_screen(state, rows, columns);
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / times;
}

// Each key is a picture: closer and closer at the run's middle, then pans.
double slowest_paint(ScreenState& state) {
  const RunTimeline& run = *state.now->timeline;
  const int wide = timeline_columns(columns - 4);
  TimeView& time = state.view.time;
  time.cursor = (run.span().start + run.span().end) / 2;
  double slowest = paint(state);
  do {
    time = zoomed(time, 0.5, run.span(), wide, run.compiles);
    slowest = std::max(slowest, paint(state));
    const TimeView there = time;
    time = panned(time, wide / 2, run.span(), wide, run.compiles);
    slowest = std::max(slowest, paint(state));
    time = there;
  } while (time.per_column > 1000);
  return slowest;
}

// No two neighbours went alike, so that each of 100,000 steps is a stretch of its own.
std::shared_ptr<const RunTimeline> uneven_run() {
  const auto us = [](std::int64_t count) { return Picoseconds(count * 1'000'000); };
  std::array<std::shared_ptr<const StepShape>, 4> shapes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    StepShape shape;
    const Picoseconds traced = us(800 + 50 * static_cast<std::int64_t>(i));
    shape.kind = "train";
    shape.duration = traced + us(200);
    const StripPiece host{Share::host_tracing, us(0), traced};
    const StripPiece device{Share::compute, traced, shape.duration};
    shape.lanes = {{host}, {{Share::input, us(0), us(300)}}, {device}, {}};
    shape.path = {host, device};
    shape.sums.resize(5);
    shape.sums[0][index_of(host.share)] = shape.sums[4][index_of(host.share)] = traced;
    shape.sums[1][index_of(Share::input)] = us(300);
    shape.sums[2][index_of(device.share)] = shape.sums[4][index_of(device.share)] = us(200);
    shapes[i] = std::make_shared<const StepShape>(std::move(shape));
  }
  RunTimeline run;
  run.lanes = {{TimelineRow::host, "host", true},
               {TimelineRow::input, "loader", true},
               {TimelineRow::devices, "cores 0-7", true},
               {TimelineRow::collectives, "collectives", true}};
  run.path_lane = 2;
  RunTimeline::Block block;
  Picoseconds at{};
  for (std::int64_t step = 0; step < steps; ++step) {
    block.push_back({at, step, 1, shapes[static_cast<std::size_t>(step) % shapes.size()]});
    at = block.back().end();
    if (block.size() < 256 && step + 1 < steps) continue;
    run.blocks.push_back(std::make_shared<const RunTimeline::Block>(std::exchange(block, {})));
  }
  return std::make_shared<const RunTimeline>(std::move(run));
}

void measure() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->losses = std::make_shared<const std::vector<LossPoint>>();
  snapshot->timeline = uneven_run();
  ScreenState state;
  state.now = snapshot;
  state.view.zoomed = "timeline";
  state.view.focused = "timeline";
  row("timeline", "slowest_paint_of_100000_stretches", slowest_paint(state), "ms", 16, "lower");
}

}  // namespace
}  // namespace tpulab::bench

int main(int argc, char** argv) {
  if (!tpulab::bench::parse_bench_arguments(argc, argv)) return 2;
  tpulab::bench::measure();
  return 0;
}
