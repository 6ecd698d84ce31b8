#include "engine/runtime/simulate.h"

#include <gtest/gtest.h>

#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"

namespace tpulab::simulate_test {
namespace {

using std::chrono_literals::operator""us;
using std::chrono_literals::operator""s;

constexpr Constant us(double microseconds) { return {microseconds * 1e-6, Mark::assumed, "test"}; }
constexpr Constant number(double value) { return {value, Mark::assumed, "test"}; }

// A machine of round figures: 10 us a traced op, 100 us of Python a step, 50 us to dispatch.
class SimulateTest : public ::testing::Test {
 protected:
  SimulateTest() {
    generation_.program_seconds = us(20);
    host_ = {.name = "test",
             .cpus = number(8),
             .cpu_flops_per_second = number(1e9),
             .memory_bytes_per_second = number(1e9),
             .python_speed = number(1),
             .link_latency_seconds = us(40),
             .link_share = number(1),
             .rows_per_second_per_worker = number(1e6)};
    stack_ = {.name = "test",
              .trace_seconds_per_op = us(10),
              .step_seconds = us(100),
              .dispatch_seconds = us(50),
              .run_ahead = number(2),
              .batches_ahead = number(8),
              .compile_seconds_base = us(1e6),
              .compile_seconds_per_node = number(0),
              .compile_seconds_per_node_squared = number(0),
              .read_back_seconds = us(5)};
    Slice slice = slice_named("v3-8");
    slice.generation = &generation_;
    machine_ = {
        .slice = slice, .host = &host_, .stack = &stack_, .devices = {0, 1, 2, 3, 4, 5, 6, 7}};
    // A program without kernels takes the 20 us of its start.
    program_ = std::make_shared<Program>();
  }

  StepRecord record(std::vector<Event> events) const {
    return {StepKind::train, 0, 256, std::make_shared<const std::vector<Event>>(std::move(events))};
  }
  Event dispatch() const { return {.kind = EventKind::dispatch, .program = program_}; }
  static Picoseconds share(const StepTimeline& step, Share which) {
    return step.shares[index_of(which)];
  }
  static void expect_shares_add_up(const StepTimeline& step) {
    Picoseconds sum{};
    for (const Picoseconds part : step.shares) sum += part;
    EXPECT_EQ(sum, step.duration());
  }

  Generation generation_ = generation_named("v3");
  HostRow host_{};
  StackRow stack_{};
  Machine machine_;
  std::shared_ptr<Program> program_;
};

TEST_F(SimulateTest, a_first_step_waits_for_tracing_then_runs) {
  Simulator simulator(machine_);
  const StepTimeline step = simulator.step(
      record({{.kind = EventKind::python}, {.kind = EventKind::trace, .count = 30}, dispatch()}));
  // 100 us Python + 30 x 10 us tracing + 50 us dispatch, then 20 us on the device.
  EXPECT_EQ(share(step, Share::host_tracing), 450us);
  EXPECT_EQ(share(step, Share::compute), 20us);
  EXPECT_EQ(step.duration(), 470us);
  expect_shares_add_up(step);
}

TEST_F(SimulateTest, the_host_traces_the_next_step_while_the_device_runs) {
  generation_.program_seconds = us(300);
  Simulator simulator(machine_);
  const StepRecord one =
      record({{.kind = EventKind::python}, {.kind = EventKind::trace, .count = 10}, dispatch()});
  simulator.step(one);
  const StepTimeline second = simulator.step(one);
  // The host needs 250 us a step and is hidden behind the device's 300 us.
  EXPECT_EQ(second.duration(), 300us);
  EXPECT_EQ(share(second, Share::compute), 300us);
  EXPECT_EQ(share(second, Share::host_tracing), 0us);
}

TEST_F(SimulateTest, the_host_runs_ahead_only_so_far) {
  generation_.program_seconds = us(1000);
  Simulator simulator(machine_);
  const StepRecord one = record({{.kind = EventKind::python}, dispatch()});
  simulator.step(one);
  simulator.step(one);
  // Two programs are in flight: the third waits until the first is done at 150 + 1,000 us; the host
  // asks for it at 3 x 100 + 2 x 50 us.
  const StepTimeline third = simulator.step(one);
  EXPECT_EQ(third.events.back().waited, 1150us - 400us);
}

TEST_F(SimulateTest, a_read_back_drains_the_pipeline) {
  generation_.program_seconds = us(1000);
  Simulator simulator(machine_);
  const StepRecord step =
      record({{.kind = EventKind::python},
              dispatch(),
              {.kind = EventKind::read_back, .name = "aten::_local_scalar_dense"}});
  simulator.step(step);
  const StepTimeline second = simulator.step(step);
  // After the program: 40 + 5 us to read, then 100 us Python and 50 us dispatch before the next
  // one, which the host would have done beside the program, had it not waited for the value.
  EXPECT_EQ(share(second, Share::read_back), 45us + 150us);
  EXPECT_EQ(share(second, Share::host_tracing), 0us);
  EXPECT_EQ(second.duration(), 45us + 150us + 1000us);
  expect_shares_add_up(second);
}

TEST_F(SimulateTest, a_value_costs_what_its_step_is_longer_than_without_it) {
  for (const auto kind : {EventKind::read_back, EventKind::host_op}) {
    for (const double program : {20.0, 120.0, 160.0, 400.0}) {
      generation_.program_seconds = us(program);
      const std::vector<Event> without{
          {.kind = EventKind::python}, dispatch(), {.kind = EventKind::trace, .count = 3}};
      std::vector<Event> with = without;
      with.insert(with.begin() + 2, {.kind = kind, .name = "a value"});
      const auto third_step = [this](const std::vector<Event>& events) {
        Simulator simulator(machine_);
        simulator.step(record(events));
        simulator.step(record(events));
        return simulator.step(record(events));
      };
      const StepTimeline step = third_step(with);
      const Share taken = kind == EventKind::read_back ? Share::read_back : Share::cpu_fallback;
      EXPECT_EQ(share(step, taken), step.duration() - third_step(without).duration()) << program;
      expect_shares_add_up(step);
    }
  }
}

TEST_F(SimulateTest, behind_a_compile_the_host_is_late_whatever_it_read_before) {
  generation_.program_seconds = us(1000);
  Simulator simulator(machine_);
  simulator.step(record({dispatch(), {.kind = EventKind::read_back}}));
  const StepTimeline second = simulator.step(
      record({{.kind = EventKind::compile}, {.kind = EventKind::python}, dispatch()}));
  EXPECT_EQ(share(second, Share::read_back), 0us);
  EXPECT_EQ(share(second, Share::compile), 1s);
  EXPECT_EQ(share(second, Share::host_tracing), 150us);
}

TEST_F(SimulateTest, what_is_read_behind_a_program_belongs_to_its_step_whatever_follows) {
  for (const auto next : {StepKind::train, StepKind::evaluate}) {
    Simulator simulator(machine_);
    const StepTimeline first = simulator.step(record({dispatch(), {.kind = EventKind::read_back}}));
    EXPECT_EQ(share(first, Share::read_back), 45us);
    EXPECT_EQ(first.end, 50us + 20us + 45us);
    expect_shares_add_up(first);
    StepRecord then = record({dispatch()});
    then.kind = next;
    const StepTimeline second = simulator.step(then);
    EXPECT_EQ(second.begin, first.end);
    EXPECT_EQ(second.duration(), 50us + 20us);
    EXPECT_EQ(share(second, Share::read_back), 20us) << "of the dispatch, beside the first else";
  }
}

TEST_F(SimulateTest, a_host_op_downloads_computes_and_uploads) {
  Simulator simulator(machine_);
  const StepTimeline step = simulator.step(record({dispatch(),
                                                   {.kind = EventKind::host_op,
                                                    .host = {.flops = {1'000'000}, .bytes = {}},
                                                    .name = "aten::nonzero"},
                                                   dispatch()}));
  const TimedEvent& host_op = step.events[1];
  EXPECT_EQ(host_op.waited, 20us);  // for the first program
  EXPECT_EQ(host_op.download, 40us);
  EXPECT_EQ(host_op.upload, 40us);
  EXPECT_GE(host_op.cpu, 1005us);  // 1 M operations at 1 GHz, and 5 us to read
  EXPECT_EQ(share(step, Share::cpu_fallback),
            host_op.waited + host_op.download + host_op.cpu + host_op.upload);
  expect_shares_add_up(step);
}

TEST_F(SimulateTest, a_compile_blocks_the_host) {
  Simulator simulator(machine_);
  const StepTimeline step =
      simulator.step(record({{.kind = EventKind::compile, .program = program_}, dispatch()}));
  EXPECT_TRUE(step.compiled);
  EXPECT_EQ(share(step, Share::compile), 1s);
  EXPECT_EQ(step.duration(), 1s + 50us + 20us);
}

TEST_F(SimulateTest, the_loader_works_in_the_background) {
  Simulator simulator(machine_);
  const StepRecord step = record({{.kind = EventKind::next_batch, .count = 100},
                                  {.kind = EventKind::python},
                                  {.kind = EventKind::trace, .count = 10},
                                  dispatch()});
  // The first batch takes 100 rows at 1 M/s and 40 us of transfer; later ones are ready in time, as
  // a step of the host takes 250 us.
  EXPECT_EQ(share(simulator.step(step), Share::input), 140us);
  EXPECT_EQ(share(simulator.step(step), Share::input), 0us);
}

TEST_F(SimulateTest, a_slow_loader_binds) {
  host_.rows_per_second_per_worker = number(1e5);
  Simulator simulator(machine_);
  const StepRecord step = record(
      {{.kind = EventKind::next_batch, .count = 100}, {.kind = EventKind::python}, dispatch()});
  for (int i = 0; i < 20; ++i) simulator.step(step);
  const StepTimeline later = simulator.step(step);
  // 100 rows at 0.1 M/s: a batch each 1,000 us, which is sent in 40 us while the next is made.
  EXPECT_EQ(later.duration(), 1000us);
  EXPECT_EQ(share(later, Share::input), 1000us - 150us - 20us);
}

// Each batch begins when the one before it is made, 40 us before it is there, and takes 1,040 us.
TEST_F(SimulateTest, tells_when_the_loader_made_each_batch) {
  host_.rows_per_second_per_worker = number(1e5);
  Simulator simulator(machine_);
  const StepRecord step = record({{.kind = EventKind::next_batch, .count = 100}, dispatch()});
  Picoseconds before{};
  for (int i = 0; i < 5; ++i) {
    const StepTimeline timeline = simulator.step(step);
    const TimedEvent& batch = timeline.events.at(0);
    EXPECT_EQ(batch.began, before);
    EXPECT_EQ(batch.finished - batch.began, 1040us);
    EXPECT_GE(batch.end, batch.finished);
    before = batch.finished - 40us;
  }
}

TEST_F(SimulateTest, a_slow_host_makes_the_other_groups_wait_in_the_all_reduce) {
  machine_.slice = slice_named("v3-32");
  machine_.slice.generation = &generation_;
  machine_.devices.clear();
  for (int device = 0; device < 32; ++device) machine_.devices.push_back(device);
  machine_.stragglers = {{StragglerKind::host, 1, 1.5}};
  program_->kernels.push_back({.name = "all-reduce", .nodes = {}, .work = {}, .collective = true});
  Simulator simulator(machine_);
  ASSERT_EQ(simulator.groups().size(), 2u);
  const StepTimeline step = simulator.step(record({{.kind = EventKind::python}, dispatch()}));
  const LaneTimeline& slow = step.lane(1);
  // Ordinary hosts need 100 + 50 us, the slow one half as much again: 75 us of waiting.
  EXPECT_EQ(share(step, Share::collective_wait), 75us);
  EXPECT_EQ(slow.shares[index_of(Share::collective_wait)], 0us);
  EXPECT_EQ(slow.shares[index_of(Share::host_tracing)], 225us);
  EXPECT_EQ(step.end, slow.end);
  expect_shares_add_up(step);
}

TEST_F(SimulateTest, tells_the_parts_of_events_as_their_slow_host_takes_them) {
  const Event op{.kind = EventKind::host_op, .sent = {1 << 20}, .received = {1 << 20}};
  const StepRecord one =
      record({{.kind = EventKind::next_batch, .count = 8, .sent = {1 << 20}}, dispatch(), op});
  const StepTimeline usual = Simulator(machine_).step(one);
  machine_.stragglers = {{StragglerKind::host, 0, 3}};
  const StepTimeline slow = Simulator(machine_).step(one);
  const TimedEvent& told = slow.events.at(2);
  EXPECT_EQ(told.download + told.cpu + told.upload, told.end - told.start - told.waited);
  EXPECT_EQ(told.download, usual.events.at(2).download * 3);
  EXPECT_EQ(slow.events.at(0).cpu, usual.events.at(0).cpu * 3);
  EXPECT_EQ(slow.events.at(0).upload, usual.events.at(0).upload * 3);
}

TEST_F(SimulateTest, a_slow_core_computes_longer) {
  machine_.stragglers = {{StragglerKind::core, 5, 3}};
  Simulator simulator(machine_);
  const StepTimeline step = simulator.step(record({dispatch()}));
  EXPECT_EQ(share(step, Share::compute), 20us);
  EXPECT_EQ(step.lane(1).shares[index_of(Share::compute)], 60us);
}

TEST_F(SimulateTest, goes_on_alike_from_clocks_that_stand_alike) {
  const StepRecord one = record({{.kind = EventKind::next_batch, .count = 8, .sent = Bytes{1000}},
                                 {.kind = EventKind::trace, .count = 3},
                                 dispatch()});
  Simulator simulator(machine_);
  std::vector<Picoseconds> before;
  int unlike = 0;
  for (int step = 0; step < 40; ++step) {
    std::vector<Picoseconds> clocks = simulator.clocks();
    if (clocks != before) ++unlike;
    before = std::move(clocks);
    simulator.step(one);
  }
  EXPECT_GT(unlike, 1);
  EXPECT_LT(unlike, 30);
  EXPECT_EQ(simulator.step(one).duration(), simulator.step(one).duration());
}

TEST_F(SimulateTest, adds_up_the_work_of_hosts_loaders_and_devices) {
  Simulator simulator(machine_);
  simulator.step(record({{.kind = EventKind::next_batch, .count = 8, .sent = Bytes{}},
                         {.kind = EventKind::trace, .count = 3},
                         dispatch()}));
  // 8 rows of a million a second and 40 us of the link; 3 x 10, 50 and 20 us.
  EXPECT_NEAR(in_seconds(simulator.work()), (8 + 40 + 30 + 50 + 20) * 1e-6, 1e-12);
}

TEST_F(SimulateTest, is_a_pure_function_of_its_records) {
  const std::vector<StepRecord> records(5, record({{.kind = EventKind::python}, dispatch()}));
  const Timeline one = simulate(records, machine_);
  const Timeline other = simulate(records, machine_);
  ASSERT_EQ(one.steps.size(), 5u);
  EXPECT_EQ(one.total, other.total);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(one.steps[i].end, other.steps[i].end);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(one.steps[i].begin, one.steps[i - 1].end);
}

}  // namespace
}  // namespace tpulab::simulate_test
