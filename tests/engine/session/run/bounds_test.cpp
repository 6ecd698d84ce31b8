#include "engine/session/run/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "engine/machine/scaled_machine.h"
#include "engine/machine/straggler.h"
#include "engine/session/run/replay.h"

namespace tpulab::bounds_test {
namespace {

Machine all_cores(const char* slice) {
  Machine machine{.slice = slice_named(slice),
                  .host = &host_named("tpu-vm"),
                  .stack = &stack_named("pytorch-xla"),
                  .devices = {}};
  for (int core = 0; core < machine.slice.devices(); ++core) machine.devices.push_back(core);
  return machine;
}

Machine eight_cores() { return all_cores("v3-8"); }

std::shared_ptr<const Program> program_of(std::vector<Kernel> kernels) {
  Program program;
  program.world = 8;
  program.kernels = std::move(kernels);
  return std::make_shared<const Program>(std::move(program));
}

Kernel product(std::int64_t size) {
  const Operand factor{{size, size}, DType::bf16};
  return {.name = "dot",
          .nodes = {},
          .work = {{MatrixWork{.m = size, .k = size, .n = size}}, {factor, factor}, {factor}}};
}

Kernel copy(std::int64_t rows, std::int64_t columns) {
  const Operand array{{rows, columns}, DType::f32};
  return {.name = "copy", .nodes = {}, .work = {{}, {array}, {array}}};
}

Bounds bounds(std::span<const StepRecord> records, const Machine& machine) {
  return bounds_of(replayed(records, machine), machine);
}

// What the host does before it hands the program over, and the reads behind it.
std::vector<StepRecord> steps_of(std::vector<Kernel> kernels, std::vector<Event> events) {
  const auto reads = std::ranges::find(events, EventKind::read_back, &Event::kind);
  events.insert(reads, {.kind = EventKind::dispatch,
                        .program = program_of(std::move(kernels)),
                        .name = "train step"});
  std::vector<StepRecord> records;
  const auto shared = std::make_shared<const std::vector<Event>>(std::move(events));
  for (int step = 0; step < 24; ++step) records.push_back({StepKind::train, step, 8, shared});
  return records;
}

// Tracing that takes the host nearly as long as these take the devices.
Event nearly_as_long(const std::vector<Kernel>& kernels, const Machine& machine) {
  const Picoseconds busy = steady_step(steps_of(kernels, {}), machine);
  const auto ops =
      static_cast<std::int64_t>(0.95 * in_seconds(busy) / machine.stack->trace_seconds_per_op);
  return {.kind = EventKind::trace, .count = ops};
}

TEST(Bounds, are_empty_without_a_step) { EXPECT_EQ(bounds({}, eight_cores()).first, ""); }

TEST(Bounds, of_much_tracing_and_little_work_are_the_host) {
  const Bounds told =
      bounds(steps_of({product(128)}, {{.kind = EventKind::trace, .count = 1000}}), eight_cores());
  EXPECT_EQ(told.first, "host tracing");
  EXPECT_LT(told.without, told.step);
}

TEST(Bounds, of_a_large_product_are_the_matrix_units) {
  EXPECT_EQ(bounds(steps_of({product(8192)}, {}), eight_cores()).first, "matrix units");
}

// Free of either, the devices are done before the host: what takes more of the step is named.
TEST(Bounds, of_which_two_save_as_much_are_what_takes_more) {
  const Machine machine = eight_cores();
  const std::vector<Kernel> kernels{product(8192), copy(65'536, 20'000)};
  const Event tracing = nearly_as_long(kernels, machine);
  EXPECT_EQ(bounds(steps_of(kernels, {tracing}), machine).first, "HBM");
}

// Host and devices, nearly as long as each other, take turns at a read.
TEST(Bounds, of_a_read_in_every_step_count_the_waiting) {
  const Machine machine = eight_cores();
  const std::vector<Kernel> kernels{product(8192), copy(65'536, 20'000)};
  const Event tracing = nearly_as_long(kernels, machine);
  const Event reading{.kind = EventKind::read_back, .received = Bytes{4}};
  const Bounds told = bounds(steps_of(kernels, {tracing, reading}), machine);
  EXPECT_EQ(told.first, "read-backs");
  EXPECT_EQ(told.without, steady_step(steps_of(kernels, {tracing}), machine));
}

// What is not tried could not have saved more.
TEST(Bounds, are_what_trying_each_resource_finds) {
  const Event reading{.kind = EventKind::read_back, .received = Bytes{4}};
  for (const int ops : {10, 400, 3000}) {
    for (const std::int64_t rows : {100, 20'000, 150'000}) {
      for (const std::int64_t loaded : {1, 2'000, 60'000}) {
        const Event tracing{.kind = EventKind::trace, .count = ops};
        const Event batch{.kind = EventKind::next_batch, .count = loaded, .sent = Bytes{1 << 20}};
        for (const bool reads : {false, true}) {
          std::vector<Event> events{batch, tracing};
          if (reads) events.push_back(reading);
          const Machine machine = eight_cores();
          const auto records = steps_of({product(4096), copy(rows, 1024)}, events);
          Picoseconds best = steady_step(records, machine);
          for (const Resource resource : resources()) {
            ScaledMachine free(machine);
            free.speed_up(resource, ScaledMachine::free_factor);
            if (resource == Resource::read_backs) continue;  // left out, they are, not fast
            best = std::min(best, steady_step(records, free.machine()));
          }
          const Bounds told = bounds(records, machine);
          if (told.first == "read-backs") {
            EXPECT_LE(told.without, best);
          } else {
            EXPECT_EQ(told.without, best)
                << told.first << ' ' << ops << ' ' << rows << ' ' << loaded;
          }
        }
      }
    }
  }
}

// No single resource is worth as much where two take turns.
TEST(Bounds, of_a_slow_core_are_the_stragglers) {
  Machine machine = eight_cores();
  machine.stragglers = stragglers_named("core:3:20", machine.slice);
  const Kernel meeting{.name = "all-reduce",
                       .nodes = {},
                       .work = {{CollectiveWork{CollectiveKind::all_reduce, {4096}}}, {}, {}},
                       .collective = true};
  const auto records = steps_of({product(8192), copy(65'536, 16'384), meeting}, {});
  EXPECT_EQ(bounds(records, machine).first, "stragglers");
  machine.stragglers.clear();
  EXPECT_NE(bounds(records, machine).first, "stragglers");
}

// Steps of three kinds in any order, of work of any size, with and without stragglers.
std::vector<StepRecord> any_records(std::mt19937& random) {
  const auto up_to = [&](int most) { return static_cast<std::int64_t>(random() % most); };
  std::vector<std::shared_ptr<const std::vector<Event>>> kinds;
  for (int kind = 0; kind < 3; ++kind) {
    std::vector<Event> events{{.kind = EventKind::trace, .count = up_to(400)}};
    if (up_to(2) == 0) {
      events.push_back({.kind = EventKind::next_batch, .count = up_to(64), .sent = Bytes{4096}});
    }
    const auto program =
        program_of({product(128 << up_to(6)), copy(1 << up_to(16), 128), product(512)});
    events.push_back({.kind = EventKind::dispatch, .program = program, .name = "train step"});
    if (up_to(3) == 0) events.push_back({.kind = EventKind::read_back, .received = Bytes{4}});
    if (up_to(3) == 0) events.push_back({.kind = EventKind::trace, .count = up_to(400)});
    kinds.push_back(std::make_shared<const std::vector<Event>>(std::move(events)));
  }
  std::vector<StepRecord> records;
  for (int step = 0; step < 32; ++step) {
    const auto kind = static_cast<std::size_t>(up_to(3));
    const bool evaluates = kind == 2 && !records.empty();
    records.push_back({evaluates ? StepKind::evaluate : StepKind::train, step, 8, kinds[kind]});
  }
  return records;
}

// What is not tried, as it cannot save more, does not: each resource is tried here.
TEST(Bounds, name_the_resource_that_saves_the_most) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::vector<StepRecord> records = any_records(random);
    Machine machine = eight_cores();
    if (round % 3 == 0) machine.stragglers = stragglers_named("core:5:2", machine.slice);
    if (round % 3 == 1) {
      machine = all_cores("v3-32");
      machine.stragglers = stragglers_named("host:3:2", machine.slice);
    }
    const Bounds told = bounds(records, machine);
    for (const Resource resource : resources()) {
      if (resource >= Resource::host_cpu) continue;
      ScaledMachine scaled(machine);
      scaled.speed_up(resource, ScaledMachine::free_factor);
      EXPECT_GE(steady_step(records, scaled.machine()), told.without)
          << "round " << round << ": " << name_of(resource) << " against " << told.first;
    }
  }
}

}  // namespace
}  // namespace tpulab::bounds_test
