// What PyTorch/XLA would have counted in a step, on the emulated host's clock.
#include <algorithm>

#include "engine/runtime/runtime.h"

namespace tpulab {

namespace {

void count_traced(const TimedEvent& timed, Metrics& metrics) {
  const std::int64_t ops = timed.event->count;
  const Picoseconds each = (timed.end - timed.start) / std::max<std::int64_t>(ops, 1);
  metrics.time_each("LazyTracing", each, timed.start, ops);
  metrics.count("CreateXlaTensor", ops);
}

void count_compile(const TimedEvent& timed, Metrics& metrics) {
  metrics.time("CompileTime", timed.end - timed.start, timed.end);
  metrics.count("UncachedCompile");
  metrics.count("CreateCompileHandles");
  std::int64_t donated = 0;
  for (const int input : timed.event->program->donated) donated += input >= 0;
  metrics.value("InputOutputAliasCount", static_cast<double>(donated), timed.end);
}

// From dispatch to completion: includes the queue behind earlier programs, as in 2.x.
void count_execution(const TimedEvent& timed, Metrics& metrics) {
  metrics.time("ExecuteTime", timed.finished - timed.start - timed.waited, timed.finished);
  metrics.time(server_execution, timed.ran, timed.finished);
  metrics.time("DeviceLockWait", timed.waited, timed.start + timed.waited);
  metrics.value("TensorsGraphSize", static_cast<double>(timed.event->count), timed.end);
  metrics.count("ExecuteComputation");
}

void count_download(Picoseconds duration, Bytes bytes, Picoseconds stamp, Metrics& metrics) {
  metrics.time("TransferFromDeviceTime", duration, stamp);
  metrics.bytes("InboundData", bytes, stamp);
}

void count_upload(Picoseconds duration, Bytes bytes, Picoseconds stamp, Metrics& metrics) {
  metrics.time("TransferToDeviceTime", duration, stamp);
  metrics.bytes("OutboundData", bytes, stamp);
}

}  // namespace

void count_step(const StepTimeline& step, Metrics& metrics) {
  for (const TimedEvent& timed : step.events) {
    const Event& event = *timed.event;
    switch (event.kind) {
      case EventKind::trace:
        count_traced(timed, metrics);
        break;
      case EventKind::compile:
        if (!event.from_disk) count_compile(timed, metrics);
        break;
      case EventKind::next_batch:
      case EventKind::upload:
        count_upload(timed.upload, event.sent, timed.end, metrics);
        break;
      case EventKind::dispatch:
        count_execution(timed, metrics);
        break;
      case EventKind::read_back:
        count_download(timed.end - timed.start, event.received, timed.end, metrics);
        if (event.name != checkpoint_read) metrics.count(event.name);
        break;
      case EventKind::host_op:
        count_download(timed.waited + timed.download, event.received,
                       timed.start + timed.waited + timed.download, metrics);
        count_upload(timed.upload, event.sent, timed.end, metrics);
        metrics.count(event.name);
        break;
      case EventKind::mark_step:
        metrics.count("MarkStep");
        break;
      case EventKind::python:
      case EventKind::next_rows:
      case EventKind::load:
      case EventKind::restart:
        break;
    }
  }
}

}  // namespace tpulab
