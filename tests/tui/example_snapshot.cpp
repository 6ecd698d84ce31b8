#include "tests/tui/example_snapshot.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/session/run/ended_runs.h"

namespace tpulab {

namespace {

constexpr std::int64_t mebibyte = 1 << 20;
constexpr std::int64_t gibibyte = 1 << 30;

Picoseconds microseconds(double count) { return picoseconds_from_seconds(count * 1e-6); }

double& share(Shares& shares, Share which) { return shares[static_cast<std::size_t>(which)]; }

CoreView core_off(int index) {
  CoreView core;
  core.index = index;
  core.shares[static_cast<std::size_t>(Share::idle)] = 1;
  core.hbm_limit = {16 * gibibyte};
  return core;
}

// 4.7 % of the time in the program, the rest waiting for a host that traces.
CoreView core_behind_its_host(int index) {
  CoreView core = core_off(index);
  core.used = true;
  core.duty_cycle = 0.052;
  core.utilisation = 0.0003;
  core.hbm_used = {18 * mebibyte};
  core.shares = {};
  share(core.shares, Share::compute) = 0.012;
  share(core.shares, Share::hbm_bound) = 0.031;
  share(core.shares, Share::collective_transfer) = 0.009;
  share(core.shares, Share::host_tracing) = 0.938;
  share(core.shares, Share::input) = 0.010;
  for (int step = 0; step < 64; ++step) {
    core.history.push_back(static_cast<float>(step == 0 ? 0.002 : 0.052 + 0.004 * (step % 6 == 5)));
  }
  return core;
}

void add_line(Snapshot& snapshot, OutputLine::Kind kind, std::string text) {
  OutputLine line;
  line.id = static_cast<std::int64_t>(snapshot.output.size()) + 1;
  line.kind = kind;
  line.text = std::move(text);
  snapshot.output.push_back(std::move(line));
}

// A curve that falls like a real one, with the ripple of small batches.
std::shared_ptr<const std::vector<LossPoint>> falling_losses(int steps) {
  auto losses = std::make_shared<std::vector<LossPoint>>();
  for (int step = 1; step <= steps; ++step) {
    const double ripple = 1 + 0.12 * std::sin(step * 1.7) * std::cos(step * 0.9);
    const double loss = 0.03 + 2.3 * std::exp(-step / 14.0) * ripple;
    losses->push_back({static_cast<float>(step), static_cast<float>(loss)});
  }
  return losses;
}

// Four steps of a host-bound run: tracing all the time, short programs on the cores.
void fill_strip(Snapshot& snapshot, const std::string& cores, std::int64_t first_step) {
  const Picoseconds step = microseconds(4600);
  StripView& strip = snapshot.strip;
  strip.first_step = first_step;
  strip.start = step * (first_step - 1);
  StripLane host{"host", {}};
  StripLane device{cores, {}};
  for (int i = 0; i < 4; ++i) {
    const Picoseconds begin = strip.start + step * i;
    const Picoseconds end = begin + step;
    strip.step_ends.push_back(end);
    host.pieces.push_back({Share::host_tracing, begin, end - microseconds(46)});
    host.pieces.push_back({Share::input, end - microseconds(46), end});
    device.pieces.push_back({Share::compute, begin, begin + microseconds(55)});
    device.pieces.push_back(
        {Share::hbm_bound, begin + microseconds(55), begin + microseconds(198)});
    device.pieces.push_back(
        {Share::collective_transfer, begin + microseconds(198), begin + microseconds(240)});
    device.pieces.push_back({Share::host_tracing, begin + microseconds(240), end});
  }
  strip.lanes = {host, device};
}

void fill_run(RunView& run) {
  run.number = 1;
  run.state = RunState::training;
  run.model = "mlp 64-1024-1024-10";
  run.parameters = 1126410;
  run.machine = "v3-8";
  run.devices = "8 of 8 cores";
  run.devices_per_host = 8;
  run.recent_steps = 16;
  run.batch = "32 x 8 = 256 global";
  run.precision = "f32, bf16 products";
  run.step = 112;
  run.steps_total = 180;
  run.epoch = 19;
  run.loss = 0.0312;
  run.test_accuracy = 0.9139;
  run.tpu_rate_steady = 55650;
  run.tpu_rate_with_compile = 10840;
  run.wall_rate = 12300;
  run.tpu_time = picoseconds_from_seconds(2.64);
  run.wall_seconds = 2.33;
  run.wall_step_seconds = 2.33 / 112;
  run.step_time = microseconds(4600);
  run.bound = {.name = "host tracing", .saves = 0.96};
}

}  // namespace

Snapshot example_empty_snapshot() {
  Snapshot snapshot;
  snapshot.run.machine = "v3-8";
  snapshot.run.devices = "8 of 8 cores";
  snapshot.run.batch = "32 x 8 = 256 global";
  snapshot.run.precision = "f32, bf16 products";
  snapshot.run.loss = std::numeric_limits<double>::quiet_NaN();
  snapshot.run.test_accuracy = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 8; ++i) snapshot.cores.push_back(core_off(i));
  snapshot.losses = std::make_shared<const std::vector<LossPoint>>();
  return snapshot;
}

Snapshot example_training_snapshot() {
  Snapshot snapshot;
  snapshot.sequence = 112;
  fill_run(snapshot.run);
  for (int i = 0; i < 8; ++i) snapshot.cores.push_back(core_behind_its_host(i));
  fill_strip(snapshot, "cores 0-7", 109);
  snapshot.timeline = example_timeline(112);
  snapshot.losses = falling_losses(112);
  snapshot.compiles.compiled = 2;
  snapshot.compiles.cached = 128;
  snapshot.compiles.total = picoseconds_from_seconds(2.12);
  snapshot.compiles.events = {
      {1, "train step", "first graph", 214, picoseconds_from_seconds(1.54)},
      {6, "evaluation", "first graph", 31, picoseconds_from_seconds(0.58)},
  };
  using Kind = OutputLine::Kind;
  add_line(snapshot, Kind::command, "run");
  add_line(snapshot, Kind::text, "TPU available: True, using: 8 TPU cores");
  add_line(snapshot, Kind::text,
           "run 1: mlp 64-1024-1024-10, 1,126,410 parameters, 32 x 8 = 256 global, v3-8");
  add_line(snapshot, Kind::warning,
           "the host traces for 94 % of every step: the cores wait; try batch 256");
  for (int epoch = 15; epoch < 19; ++epoch) {
    add_line(snapshot, Kind::text,
             fmt::format("epoch {}/30: loss {:.4f}, test accuracy {:.1f} %", epoch,
                         0.11 - epoch * 0.004, 90.0 + epoch * 0.08));
  }
  return snapshot;
}

Snapshot example_one_core_snapshot() {
  Snapshot snapshot = example_training_snapshot();
  RunView& run = snapshot.run;
  run.number = 2;
  run.devices = "core 1 of 8";
  run.batch = "32 x 1 = 32 global";
  run.steps_total = 1350;
  run.step = 840;
  run.wall_step_seconds = run.wall_seconds / 840;
  run.tpu_rate_steady = 7110;
  run.step_time = microseconds(4500);
  for (CoreView& core : snapshot.cores) {
    if (core.index == 1) {
      share(core.shares, Share::collective_transfer) = 0;
      share(core.shares, Share::host_tracing) += 0.009;
      core.duty_cycle = 0.043;
    } else {
      core = core_off(core.index);
    }
  }
  snapshot.losses = falling_losses(840);
  snapshot.strip = {};
  fill_strip(snapshot, "core 1", 837);
  for (StripPiece& piece : snapshot.strip.lanes[1].pieces) {
    if (piece.share == Share::collective_transfer) piece.share = Share::host_tracing;
  }
  return snapshot;
}

Snapshot example_events_snapshot() {
  Snapshot snapshot = example_training_snapshot();
  snapshot.run.number = 12;
  snapshot.run.compiling = true;
  snapshot.run.bound = {.name = "CPU fallback", .saves = 0.58};
  for (CoreView& core : snapshot.cores) {
    const bool slow = core.index == 4;
    core.shares = {};
    share(core.shares, Share::cpu_fallback) = 0.61;
    share(core.shares, Share::compute) = slow ? 0.31 : 0.12;
    share(core.shares, Share::collective_wait) = slow ? 0.0 : 0.19;
    share(core.shares, Share::collective_transfer) = 0.05;
    share(core.shares, Share::read_back) = 0.03;
    core.wait = slow ? Picoseconds{} : microseconds(874);
    core.duty_cycle = 0.36;
    core.utilisation = 0.0412;
    core.hbm_used = {15 * gibibyte + 300 * mebibyte};
    for (float& value : core.history) value *= 7;
  }
  CompileView& compiles = snapshot.compiles;
  compiles.compiled = 4;
  compiles.cached = 1204;
  compiles.total = picoseconds_from_seconds(4.91);
  compiles.events.push_back({112, "train step", "input 0: f32[32,64] -> f32[20,64], last batch",
                             214, picoseconds_from_seconds(1.54)});
  compiles.events.push_back(
      {1210, "loss.item()", "an extra live output: loss f32[]", 190, microseconds(251000)});
  snapshot.fallbacks = {
      {"aten::nonzero", 112, microseconds(1300), Picoseconds{0}, microseconds(41200),
       microseconds(900), "data-dependent shape", "topk of a fixed number"},
      {"aten::_local_scalar_dense", 1204, microseconds(12040), Picoseconds{0}, Picoseconds{0},
       Picoseconds{0}, "item() reads a value", "a larger log_every_n_steps"},
      {"aten::bincount", 12, microseconds(140), Picoseconds{0}, microseconds(310), microseconds(98),
       "not lowered to XLA", "one_hot(labels, classes).sum(0)"},
  };
  using Kind = OutputLine::Kind;
  add_line(snapshot, Kind::command, "batch 9999999");
  add_line(snapshot, Kind::error, "batch 9999999 is out of range; give 1 to 65536");
  add_line(snapshot, Kind::warning,
           "step 112 compiled again: input 0 became f32[20,64], the last batch of the epoch; "
           "drop_last on avoids it, and the epoch then leaves out 20 rows on each core");
  add_line(snapshot, Kind::good, "run 11 finished: test accuracy 91.4 %");
  return snapshot;
}

std::shared_ptr<const RunTimeline> example_timeline(std::int64_t steps) {
  const auto us = [](std::int64_t count) { return Picoseconds(count * 1'000'000); };
  const auto shape_of = [&us](std::int64_t compile) {
    StepShape shape;
    shape.kind = "train";
    shape.duration = us(compile + 100);
    const std::int64_t at = compile;
    shape.lanes = {{{Share::host_tracing, us(at), us(at + 80)}},
                   {},
                   {{Share::compute, us(at + 80), us(at + 95)},
                    {Share::collective_transfer, us(at + 95), us(at + 100)}},
                   {{Share::collective_transfer, us(at + 95), us(at + 100)}}};
    shape.path = {{Share::host_tracing, us(at), us(at + 80)},
                  {Share::compute, us(at + 80), us(at + 95)},
                  {Share::collective_transfer, us(at + 95), us(at + 100)}};
    const auto add = [&shape](TimelineEvent event) { shape.events.push_back(std::move(event)); };
    if (compile > 0) {
      const StripPiece piece{Share::compile, us(0), us(compile)};
      shape.lanes[0].insert(shape.lanes[0].begin(), piece);
      shape.path.insert(shape.path.begin(), piece);
      add({0, us(0), us(at), Share::compile, "compile train step", "first graph"});
    }
    add({0, us(at), us(at + 80), Share::host_tracing, "trace 40 ops", ""});
    add({2, us(at + 80), us(at + 95), Share::compute, "dot+add", "bound: matrix unit", true});
    add({3, us(at + 95), us(at + 100), Share::collective_transfer, "all-reduce x 4",
         "bound: interconnect", true});
    for (const auto* pieces :
         {&shape.lanes[0], &shape.lanes[1], &shape.lanes[2], &shape.lanes[3], &shape.path}) {
      auto& sums = shape.sums.emplace_back();
      for (const StripPiece& piece : *pieces) {
        sums[index_of(piece.share)] += piece.end - piece.start;
      }
    }
    return std::make_shared<const StepShape>(std::move(shape));
  };
  RunTimeline run;
  run.lanes = {{TimelineRow::host, "host", true},
               {TimelineRow::input, "loader", false},
               {TimelineRow::devices, "cores 0-7", true},
               {TimelineRow::collectives, "collectives", true}};
  run.path_lane = 2;
  run.compiles = {{us(0), us(900)}};
  run.totals = {{"train", steps}};
  auto& waited = run.totals[0].waited;
  waited[index_of(Share::compile)] = us(900);
  waited[index_of(Share::host_tracing)] = us(80) * steps;
  waited[index_of(Share::compute)] = us(15) * steps;
  waited[index_of(Share::collective_transfer)] = us(5) * steps;
  run.blocks = {std::make_shared<const RunTimeline::Block>(
      RunTimeline::Block{{us(0), 0, 1, shape_of(900)}, {us(1000), 1, steps - 1, shape_of(0)}})};
  return std::make_shared<const RunTimeline>(std::move(run));
}

Snapshot example_pod_snapshot(int cores) {
  Snapshot snapshot = example_training_snapshot();
  snapshot.run.machine = fmt::format("v3-{}", cores);
  snapshot.run.devices = fmt::format("{} of {} cores", cores, cores);
  TorusView& torus = snapshot.run.torus;
  torus = {{1, std::max(1, cores / 2), 1}, {true, true, false}, 2, 1};
  while (torus.chips[0] * 2 <= torus.chips[1] && torus.chips[1] % 2 == 0) {
    torus.chips[0] *= 2;
    torus.chips[1] /= 2;
  }
  snapshot.cores.clear();
  for (int i = 0; i < cores; ++i) {
    CoreView core = core_behind_its_host(i);
    core.duty_cycle = i + 1 == cores ? 0.12 : 0.40 + 0.01 * (i * 7 % 8);
    core.shares = {};
    share(core.shares, Share::compute) = core.duty_cycle;
    for (float& value : core.history) value *= 8;
    share(core.shares, Share::host_tracing) = 1 - core.duty_cycle;
    snapshot.cores.push_back(core);
  }
  snapshot.strip.lanes[1].label = fmt::format("cores 0-{}", cores - 1);
  return snapshot;
}

Snapshot example_two_runs_snapshot(std::int64_t steps) {
  Snapshot snapshot = example_events_snapshot();
  EndedRun first;
  first.record.view = snapshot.run;
  first.record.view.number = 1;
  first.record.view.step = steps;
  first.record.view.step_time = microseconds(100);
  first.record.compile = microseconds(900);
  first.record.compiles = 1;
  first.record.cold = ColdRun{};
  first.timeline = example_timeline(steps);
  first.losses = snapshot.losses;
  snapshot.run.number = 2;
  snapshot.ended = {std::make_shared<const EndedRun>(std::move(first))};
  return snapshot;
}

ScreenState example_screen(Snapshot snapshot) {
  ScreenState state;
  auto now = std::make_shared<const Snapshot>(std::move(snapshot));
  state.now = now;
  state.view.output = now->output;
  state.prompt = "tpulab:v3-8> ";
  return state;
}

}  // namespace tpulab
