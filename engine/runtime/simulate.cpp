#include "engine/runtime/simulate.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/machine/loader.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

Picoseconds read_back_time(const StackRow& stack) {
  return picoseconds_from_seconds(stack.read_back_seconds);
}

Share of_host(const StackRow& stack) {
  return stack.traces_each_step() ? Share::host_tracing : Share::dispatch;
}

double factor_of_slowest(const std::vector<Lane>& lanes) {
  double factor = 1;
  for (const Lane& lane : lanes) factor = std::max(factor, lane.group().device_factor);
  return factor;
}

// A collective begins when the last group has come to it. What crosses the host link is waited for
// behind a pass, which takes all groups as long as the slowest.
void run_kernels(const Program& program, const ProgramPrice& price, std::vector<Lane>& lanes) {
  const double slowest = factor_of_slowest(lanes);
  for (std::size_t k = 0; k < price.kernels.size(); ++k) {
    const Share share = share_of(program.kernels[k], price.kernels[k]);
    if (program.kernels[k].collective) {
      const Picoseconds last = std::ranges::max_element(lanes, {}, &Lane::device)->device();
      for (Lane& lane : lanes) lane.device_exchanges(share, last, price.exposed[k]);
    } else if (share == Share::offload) {
      const Picoseconds time = exposed_at(price, k, slowest);
      for (Lane& lane : lanes) lane.device_exchanges(share, lane.device(), time);
    } else {
      for (Lane& lane : lanes) lane.device_does(share, price.exposed[k]);
    }
  }
}

}  // namespace

Simulator::Simulator(Machine machine, Detail detail)
    : machine_(std::move(machine)),
      detail_(detail),
      groups_(device_groups(machine_)),
      python_(slowness_of_python(machine_)) {
  for (const DeviceGroup& group : groups_) lanes_.emplace_back(group);
}

Picoseconds Simulator::now() const {
  return std::ranges::max_element(lanes_, {}, &Lane::now)->now();
}

StepTimeline Simulator::step(const StepRecord& record) {
  StepTimeline out;
  step(record, out);
  return out;
}

void Simulator::step(const StepRecord& record, StepTimeline& out) {
  out.others.resize(lanes_.size() - 1);
  LaneTimeline& first = out;
  lanes_[0].begin_step(std::move(first));
  for (std::size_t i = 1; i < lanes_.size(); ++i) {
    lanes_[i].begin_step(std::move(out.others[i - 1]));
  }
  out.compiled = false;
  out.useful = {};
  out.events.clear();
  out.events.reserve(record.events->size());
  for (const Event& event : *record.events) replay(event, out);
  first = lanes_[0].end_step();
  for (std::size_t i = 1; i < lanes_.size(); ++i) out.others[i - 1] = lanes_[i].end_step();
  out.kind = record.kind;
  out.step = record.step + (record.kind == StepKind::train ? 1 : 0);
  out.samples = record.samples;
  out.row = record.row;
}

Picoseconds Simulator::work() const {
  Picoseconds work{};
  for (const Lane& lane : lanes_) work += lane.work();
  return work;
}

std::vector<Picoseconds> Simulator::clocks() const {
  std::vector<Picoseconds> found;
  clocks(found);
  return found;
}

void Simulator::clocks(std::vector<Picoseconds>& out) const {
  out.clear();
  out.reserve(32 * lanes_.size());  // more are few
  for (const Lane& lane : lanes_) lane.add_clocks(lanes_[0].device(), out);
}

void Simulator::replay(const Event& event, StepTimeline& out) {
  out.compiled = out.compiled || event.kind == EventKind::compile;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const TimedEvent timed = replay_on(lanes_[i], event);
    if (i == 0) out.events.push_back(timed);
    if (event.kind != EventKind::compile) continue;
    TimedEvent& first = out.events.back();
    first.finished = std::max(first.finished, first.start + (timed.end - timed.start));
  }
  if (event.kind != EventKind::dispatch) return;
  const Picoseconds began = lanes_[0].device();
  run_program(event, out);
  out.events.back().finished = lanes_[0].device();
  out.events.back().ran = lanes_[0].device() - began;
}

TimedEvent Simulator::replay_on(Lane& lane, const Event& event) {
  const StackRow& stack = *machine_.stack;
  TimedEvent timed{.event = &event, .start = lane.host()};
  switch (event.kind) {
    case EventKind::python:
      lane.host_does(of_host(stack), python(stack.step_seconds));
      break;
    case EventKind::trace:
      lane.host_does(Share::host_tracing,
                     python(stack.trace_seconds_per_op * static_cast<double>(event.count)));
      break;
    case EventKind::compile:
      lane.host_does(Share::compile,
                     event.from_disk ? program_load_time(static_cast<int>(event.count), machine_)
                                     : compile_time(static_cast<int>(event.count), machine_));
      break;
    case EventKind::next_batch:
    case EventKind::next_rows:
      timed.cpu = scaled(load(event.count), 1 / event.loaders);
      timed.upload = event.kind == EventKind::next_batch ? transfer(event.sent) : Picoseconds{};
      timed.began = lane.take_batch(timed.cpu, timed.upload,
                                    static_cast<std::size_t>(batches_ahead(machine_)));
      timed.finished = lane.ready();
      break;
    case EventKind::load:
      lane.host_does(Share::input, load(event.count));
      break;
    case EventKind::upload:
      timed.upload = transfer(event.sent);
      lane.host_does(Share::transfer, timed.upload);
      break;
    case EventKind::dispatch:
      begin_dispatch(lane, timed);
      break;
    case EventKind::read_back:
      timed.waited =
          lane.host_takes_value(Share::read_back, transfer(event.received) + read_back_time(stack));
      break;
    case EventKind::host_op:
      host_op(lane, event, timed);
      break;
    case EventKind::mark_step:
      break;
    case EventKind::restart:
      lane.begin_anew(now());
      break;
  }
  for (Picoseconds TimedEvent::*part :
       {&TimedEvent::download, &TimedEvent::cpu, &TimedEvent::upload}) {
    timed.*part = lane.on_host(timed.*part);
  }
  timed.end = lane.host();
  return timed;
}

void Simulator::begin_dispatch(Lane& lane, TimedEvent& timed) const {
  timed.waited = lane.wait_for_place(static_cast<std::size_t>(machine_.stack->run_ahead.value));
  const StackRow& stack = *machine_.stack;
  lane.host_does(of_host(stack), python(stack.dispatch_seconds / stack.steps_per_dispatch));
  lane.begin_program();
}

void Simulator::run_program(const Event& event, StepTimeline& out) {
  const auto& [price, shares] = prices_.of(event.program, machine_);
  out.useful += price.useful;
  for (Lane& lane : lanes_) lane.device_does(Share::compute, price.start);
  if (detail_ == Detail::kernels || factor_of_slowest(lanes_) > 1 || lanes_.size() > 1) {
    run_kernels(*event.program, price, lanes_);
  } else {
    for (std::size_t share = 0; share < shares.size(); ++share) {
      if (shares[share] == Picoseconds{}) continue;
      lanes_[0].device_does(static_cast<Share>(share), shares[share]);
    }
  }
  for (Lane& lane : lanes_) lane.end_program();
}

void Simulator::host_op(Lane& lane, const Event& event, TimedEvent& timed) const {
  timed.download = transfer(event.received);
  timed.cpu = host_compute_time(event.host, machine_) + read_back_time(*machine_.stack);
  timed.upload = transfer(event.sent);
  timed.waited =
      lane.host_takes_value(Share::cpu_fallback, timed.download + timed.cpu + timed.upload);
}

Picoseconds Simulator::python(double seconds_on_a_vm) const {
  return picoseconds_from_seconds(seconds_on_a_vm * python_);
}

Picoseconds Simulator::transfer(Bytes bytes) const {
  return picoseconds_from_seconds(machine_.host->link_latency_seconds) +
         host_transfer_time(bytes, machine_);
}

Picoseconds Simulator::load(std::int64_t rows) const {
  const double seconds = static_cast<double>(rows) * row_seconds(machine_);
  if (seconds > in_seconds(longest_run)) {
    throw Error(
        fmt::format("one worker takes {:.1e} s to make the {} rows of a batch, longer than "
                    "the clock holds; choose a smaller batch or loader_row_us",
                    seconds, rows));
  }
  return picoseconds_from_seconds(seconds);
}

Timeline simulate(std::span<const StepRecord> records, const Machine& machine, Detail detail) {
  Simulator simulator(machine, detail);
  Timeline timeline;
  for (const StepRecord& record : records) timeline.steps.push_back(simulator.step(record));
  timeline.total = simulator.now();
  return timeline;
}

}  // namespace tpulab
