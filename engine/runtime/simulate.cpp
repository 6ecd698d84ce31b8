#include "engine/runtime/simulate.h"

#include <algorithm>

#include "engine/machine/price.h"

namespace tpulab {

namespace {

// torch_xla's MpDeviceLoader keeps 8 uploaded batches ready (device_prefetch_size).
constexpr std::size_t prefetched_batches = 8;

void add_piece(std::vector<Piece>& pieces, Piece piece) {
  if (piece.end <= piece.start) return;
  if (!pieces.empty() && pieces.back().share == piece.share && pieces.back().end == piece.start) {
    pieces.back().end = piece.end;
  } else {
    pieces.push_back(piece);
  }
}

}  // namespace

Share share_of(const Kernel& kernel, const Price& price) {
  if (kernel.collective) return Share::collective_transfer;
  return price.bound == Bound::hbm ? Share::hbm_bound : Share::compute;
}

StepTimeline Simulator::step(const StepRecord& record) {
  StepTimeline out;
  out.kind = record.kind;
  out.step = record.step;
  out.samples = record.samples;
  out.begin = device_;
  for (const Event& event : *record.events) replay(event, out);
  // A step that ran nothing on the devices ends with the host.
  if (out.device.empty()) {
    fill_gap(host_, out);
    device_ = std::max(device_, host_);
  }
  out.end = device_;
  for (const Piece& piece : out.device)
    out.shares[index_of(piece.share)] += piece.end - piece.start;
  return out;
}

void Simulator::replay(const Event& event, StepTimeline& out) {
  const StackRow& stack = *machine_.stack;
  TimedEvent timed{.event = &event, .start = host_};
  switch (event.kind) {
    case EventKind::python:
      host_does(Share::host_tracing, picoseconds_from_seconds(stack.step_seconds), out);
      break;
    case EventKind::trace:
      host_does(
          Share::host_tracing,
          picoseconds_from_seconds(stack.trace_seconds_per_op * static_cast<double>(event.count)),
          out);
      break;
    case EventKind::compile:
      out.compiled = true;
      host_does(Share::compile,
                compile_time(static_cast<int>(event.program->nodes.size()), machine_), out);
      break;
    case EventKind::next_batch:
      timed.upload = transfer(event.sent);
      next_batch(event, out);
      break;
    case EventKind::load:
      host_does(Share::input, load(event.count), out);
      break;
    case EventKind::upload:
      timed.upload = transfer(event.sent);
      host_does(Share::transfer, timed.upload, out);
      break;
    case EventKind::dispatch:
      timed = dispatch(event, out);
      break;
    case EventKind::read_back:
      wait_for_devices(out);
      timed.waited = host_ - timed.start;
      host_does(Share::read_back,
                transfer(event.received) + picoseconds_from_seconds(stack.read_back_seconds), out);
      break;
    case EventKind::host_op:
      wait_for_devices(out);
      timed.waited = host_ - timed.start;
      host_op(event, timed, out);
      break;
    case EventKind::mark_step:
      break;
  }
  timed.end = host_;
  out.events.push_back(timed);
}

void Simulator::host_does(Share share, Picoseconds duration, StepTimeline& out) {
  const Piece piece{share, host_, host_ + duration};
  host_ += duration;
  add_piece(out.host, piece);
  add_piece(host_since_device_, piece);
}

void Simulator::wait_for_devices(StepTimeline& out) {
  if (device_ > host_) host_does(Share::idle, device_ - host_, out);
  in_flight_.clear();
}

void Simulator::next_batch(const Event& event, StepTimeline& out) {
  const Picoseconds place = taken_.size() < prefetched_batches ? Picoseconds{} : taken_.front();
  loader_ = std::max(loader_, place) + load(event.count) + transfer(event.sent);
  if (loader_ > host_) host_does(Share::input, loader_ - host_, out);
  taken_.push_back(host_);
  if (taken_.size() > prefetched_batches) taken_.pop_front();
}

TimedEvent Simulator::dispatch(const Event& event, StepTimeline& out) {
  TimedEvent timed{.event = &event, .start = host_};
  while (!in_flight_.empty() && in_flight_.front() <= host_) in_flight_.pop_front();
  const auto limit = static_cast<std::size_t>(machine_.stack->run_ahead.value);
  if (in_flight_.size() >= std::max<std::size_t>(limit, 1)) {
    host_does(Share::idle, in_flight_.front() - host_, out);
    in_flight_.pop_front();
  }
  timed.waited = host_ - timed.start;
  host_does(Share::host_tracing, picoseconds_from_seconds(machine_.stack->dispatch_seconds), out);
  fill_gap(std::max(host_, device_), out);

  const ProgramPrice& price = price_of(event.program);
  Picoseconds at = device_;
  add_piece(out.device, {Share::compute, at, at + price.start});
  at += price.start;
  for (std::size_t k = 0; k < price.kernels.size(); ++k) {
    const Price& kernel = price.kernels[k];
    add_piece(out.device, {share_of(event.program->kernels[k], kernel), at, at + kernel.time});
    at += kernel.time;
  }
  device_ = at;
  out.useful += price.useful;
  in_flight_.push_back(device_);
  timed.finished = device_;
  return timed;
}

void Simulator::host_op(const Event& event, TimedEvent& timed, StepTimeline& out) {
  timed.download = transfer(event.received);
  timed.cpu = host_compute_time(event.host, machine_) +
              picoseconds_from_seconds(machine_.stack->read_back_seconds);
  timed.upload = transfer(event.sent);
  host_does(Share::cpu_fallback, timed.download + timed.cpu + timed.upload, out);
}

// What the devices wait for until `until` is what the host does meanwhile.
void Simulator::fill_gap(Picoseconds until, StepTimeline& out) {
  for (const Piece& piece : host_since_device_) {
    const Picoseconds start = std::max(piece.start, device_);
    const Picoseconds end = std::min(piece.end, until);
    if (end <= start) continue;
    add_piece(out.device, {Share::idle, device_, start});
    add_piece(out.device, {piece.share, start, end});
    device_ = end;
  }
  add_piece(out.device, {Share::idle, device_, until});
  device_ = std::max(device_, until);
  host_since_device_.clear();
}

Picoseconds Simulator::transfer(Bytes bytes) const {
  return picoseconds_from_seconds(machine_.host->link_latency_seconds) +
         host_transfer_time(bytes, machine_);
}

Picoseconds Simulator::load(std::int64_t rows) const {
  return picoseconds_from_seconds(static_cast<double>(rows) /
                                  machine_.host->rows_per_second_per_worker);
}

const ProgramPrice& Simulator::price_of(const std::shared_ptr<const Program>& program) {
  auto found = prices_.find(program.get());
  if (found == prices_.end()) {
    found = prices_.emplace(program.get(), std::pair{program, price(*program, machine_)}).first;
  }
  return found->second.second;
}

Timeline simulate(std::span<const StepRecord> records, const Machine& machine) {
  Simulator simulator(machine);
  Timeline timeline;
  for (const StepRecord& record : records) timeline.steps.push_back(simulator.step(record));
  timeline.total = simulator.now();
  return timeline;
}

}  // namespace tpulab
