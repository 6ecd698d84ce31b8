#include "engine/runtime/record.h"

namespace tpulab {

std::string_view name_of(StepKind kind) {
  switch (kind) {
    case StepKind::setup:
      return "setup";
    case StepKind::check:
      return "check";
    case StepKind::train:
      return "train";
    case StepKind::evaluate:
      return "evaluate";
    case StepKind::restart:
      break;
  }
  return "restart";
}

std::shared_ptr<const Program> train_step_of(const Event& event) {
  const bool runs = event.kind == EventKind::dispatch && event.name == train_step_program;
  return runs ? event.program : nullptr;
}

std::int64_t samples_since(std::int64_t step, std::span<const StepRecord> records) {
  std::int64_t samples = 0;
  for (const StepRecord& record : records) {
    if (record.kind == StepKind::train && record.step >= step) samples += record.samples;
  }
  return samples;
}

void keep_record(std::vector<StepRecord>& records, StepRecord record) {
  if (std::ssize(records) >= 2 * run_records) {
    records.erase(records.begin(), records.begin() + run_records);
  }
  records.push_back(std::move(record));
}

bool operator==(const Event& a, const Event& b) {
  return a.kind == b.kind && a.count == b.count && a.loaders == b.loaders && a.sent == b.sent &&
         a.received == b.received && a.host.flops == b.host.flops && a.host.bytes == b.host.bytes &&
         a.program == b.program && a.name == b.name && a.cause == b.cause &&
         a.from_disk == b.from_disk;
}

Event host_op_event(const Op& op, std::span<const Type> inputs, const Type& output) {
  Event event{.kind = EventKind::host_op, .name = std::string(op.name())};
  const auto bytes = [](const Type& type) {
    return Bytes{type.shape.elements() * bytes_of(type.dtype)};
  };
  for (const Type& input : inputs) event.received += bytes(input);
  event.sent = bytes(output);
  if (const Work work = op.work(inputs, output); std::holds_alternative<HostWork>(work)) {
    event.host = std::get<HostWork>(work);
  }
  return event;
}

std::string_view name_of(EventKind kind) {
  switch (kind) {
    case EventKind::python:
      return "Python";
    case EventKind::trace:
      return "trace";
    case EventKind::compile:
      return "compile";
    case EventKind::next_batch:
      return "next batch";
    case EventKind::next_rows:
      return "next rows";
    case EventKind::load:
      return "load";
    case EventKind::upload:
      return "upload";
    case EventKind::dispatch:
      return "dispatch";
    case EventKind::read_back:
      return "read back";
    case EventKind::host_op:
      return "host op";
    case EventKind::mark_step:
      return "mark step";
    case EventKind::restart:
      return "restart";
  }
  return "";
}

}  // namespace tpulab
